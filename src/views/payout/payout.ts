import type { PayoutView } from "#api/payout/payouts.ts";
import { iso } from "#views/approval/approval-state.ts";
import { isBeforeRequest } from "#intake/batch/batch-lifecycle.ts";
import type { ServerDeps } from "#views/deps.ts";
import { Problem } from "#api/app/problems.ts";
import { type SentDefaults, sentByDefault } from "#views/approval/default-values.ts";
import { actionEntry } from "#views/payout/recorded-actions.ts";
import { assignmentView } from "#views/payout/assignment.ts";
import {
  findPayoutContext,
  findRecordedActions,
  RELATED_DAYS,
} from "#ledger/payout/search/payout-page.ts";
import { findArchivePlaces } from "#ledger/integrity/archive/registry.ts";
import type { ListedPayout } from "#ledger/payout/search/payouts.ts";
import { findProposedResolution } from "#ledger/payout/manual-resolution.ts";
import { findStatusQuery } from "#ledger/payout/status-queries.ts";
import {
  findRetryChain,
  findRetryStanding,
  type RetryChainLink,
} from "#ledger/payout/retry-batch-views.ts";
import { type DisplayName, findDisplayNames } from "#ledger/people/names.ts";
import { failureReasonOf } from "#ledger/operations/failure-groups.ts";
import {
  failureGroupObject,
  UNASSIGNED,
  findAssignments,
} from "#ledger/operations/failure-assignments.ts";
import { type PayoutHistory, findPayoutHistory } from "#ledger/payout/payout-history.ts";
import { findProposedWaitEnding } from "#ledger/payout/wait-endings.ts";
import { formatMoney } from "#money/format.ts";
import { failingState, maySnooze } from "#payout/failure-explanations.ts";
import { payoutActions, payoutOutlook } from "#payout/outlook.ts";
import type { RetryStanding } from "#payout/retry-batch-left-out.ts";
import { DETAIL_FIELDS, type PayoutDetails, accountNumberOf } from "#payout/payout.ts";
import { causeText, reasonText } from "#payout/reasons.ts";
import { timingsOf } from "#payout/resend.ts";
import { findPlannedResend } from "#payout/why-not-resent.ts";
import {
  type TimelineEntry,
  payoutTimeline,
  earlierFee,
  withoutClaims,
  workerHost,
} from "#payout/timeline.ts";

/** Returns a payout as every user may see it. Throws a Problem if it does not exist. */
export async function payoutView(
  code: string,
  deps: Pick<ServerDeps, "database" | "sealer" | "clock" | "config"> & {
    readonly deps: SentDefaults | null;
  },
): Promise<PayoutView> {
  const { database, sealer } = deps;
  const now = new Date(deps.clock.nowMs());
  const [story, place, notes, chain, archives, retry] = await Promise.all([
    findPayoutHistory(database, sealer, code),
    findPayoutContext(database, sealer, code, now),
    findRecordedActions(database, code),
    findRetryChain(database, code),
    findArchivePlaces(database, { code }),
    findRetryStanding(database, code),
  ]);
  if (!story || !place) throw new Problem("not_found", { detail: `There is no payout ${code}.` });
  const closing = story.state === "on_hold" ? await findProposedResolution(database, story) : null;
  const ending = story.state === "in_doubt" ? await findProposedWaitEnding(database, story) : null;
  const failing = failingState(story.state, story.reason);
  const cause =
    failing && failureGroupObject({ state: failing, reason: failureReasonOf(story.reason) });
  const taken = await findAssignments(database, cause ? [code, cause] : [code]);
  const triage = taken.get(code) ?? UNASSIGNED;
  const told = payoutTimeline({ ...story, transitions: withoutClaims(story) });
  const displayOf = await findDisplayNames(
    database,
    [
      closing?.proposedBy,
      ending?.proposedBy,
      triage.snooze?.by,
      place.maker,
      ...told.map(({ actor }) => actor),
      ...notes.flatMap(({ actor, to }) => [actor, to]),
    ].filter((actor) => typeof actor === "string"),
    null,
  );
  const nameOf = (actor: string) => displayOf(actor).name;
  const timeline = [...told, ...notes.map((note) => actionEntry(note, nameOf))].toSorted(
    (one, other) => one.at.getTime() - other.at.getTime(),
  );
  return {
    ...shownStory(story, place),
    maker: { actor: place.maker, name: nameOf(place.maker) },
    archive_file: archives[0]?.fileName ?? null,
    ...sentWithPayout(story, deps.deps),
    outlook: await shownOutlook(story, { ...place, retry }, { ...deps, now }),
    timeline: timeline.map(timelineEntryView(displayOf)),
    actions: payoutActions(story.state, retry),
    resolution: closing && {
      ...shownProposal(closing, nameOf),
      arrived: closing.arrived,
      evidence: closing.evidence,
    },
    wait_ending: ending && { ...shownProposal(ending, nameOf), reason: ending.reason },
    assignment: failing && {
      ...assignmentView(triage, {
        hasChanged: triage.snooze !== null && story.updatedAt > triage.snooze.seenAt,
        now,
        nameOf,
      }),
      group_assigned_to: taken.get(cause ?? "")?.assignedTo?.name ?? null,
      may_snooze: maySnooze(failing),
    },
    retry: retryView(retry),
    chain: chain.map(chainLinkView),
    related: place.related.map(payoutListItem),
    related_days: RELATED_DAYS,
  };
}

const chainLinkView = ({ batchId, paidAt, ...link }: RetryChainLink) => ({
  ...link,
  batch_id: batchId,
  paid_at: iso(paidAt),
});

function retryView(retry: RetryStanding | null): PayoutView["retry"] {
  if (retry === null) return null;
  const by = retry.kind === "retried" ? retry.by : null;
  return {
    may: retry.kind === "retryable",
    by: by && { code: by.code, batch_id: by.batchId, state: by.state },
  };
}

type Place = NonNullable<Awaited<ReturnType<typeof findPayoutContext>>>;

const shownStory = (story: PayoutHistory, place: Place) => ({
  code: story.transactionCode,
  batch_id: story.batchId,
  file_name: place.fileName,
  batch_name: place.batchName,
  batch_purpose: place.batchPurpose,
  line: story.line,
  lane: story.lane,
  state: story.state,
  batch_state: place.batchState,
  needs_duplicate_reason: place.isBlocked,
  reason: story.reason,
  reason_text: story.reason && reasonText(story.reason),
  currency: story.money.currency,
  amount: formatMoney(story.money),
  beneficiary: story.beneficiary.account_name ?? null,
  is_erased: story.isErased,
  account_last4: accountNumberOf(story.beneficiary)?.slice(-4) ?? null,
  bank: place.bank,
  reference: story.reference,
  gateway_number: story.gatewayNumber,
  fee: story.fee && formatMoney(story.fee),
  unreadable_fee: story.unreadableFee,
  earlier_fee: earlierFee(story.evidence),
  silent_since: iso(story.silentSince),
  attempts: story.attempts.length,
  sent_at: iso(place.sentAt),
  settled_at: iso(place.settledAt),
  updated_at: story.updatedAt.toISOString(),
  details: detailsView(story.beneficiary),
});

async function shownOutlook(
  story: PayoutHistory,
  { stoppedBy, batchState, isBlocked, retry }: Place & { readonly retry: RetryStanding | null },
  { database, config, now }: Pick<ServerDeps, "database" | "config"> & { readonly now: Date },
) {
  const known =
    story.state === "in_doubt" ? await findStatusQuery(database, story.transactionCode) : null;
  const resend = known && findPlannedResend(known, timingsOf(config));
  const { nextAt, wait, ...outlook } = payoutOutlook({
    ...story,
    stoppedBy,
    resend,
    retry,
    now,
    isDraft: isBeforeRequest(batchState),
    isBlocked,
  });
  return {
    ...outlook,
    next_at: iso(nextAt),
    wait: wait && { until: wait.until.toISOString(), reason: wait.why, reason_text: wait.because },
  };
}

/** Returns a proposal of one person that another must confirm. */
const shownProposal = (
  { id, proposedBy, at }: { readonly id: number; readonly proposedBy: string; readonly at: Date },
  nameOf: (actor: string) => string,
) => ({ id, proposed_by: { actor: proposedBy, name: nameOf(proposedBy) }, at: at.toISOString() });

/**
 * Returns the merchant's name, and the payout code and callback URL of the row or of its lane.
 * Without gateway credentials the values of the lane are unknown.
 */
function sentWithPayout(
  { lane, payoutCode, callbackUrl }: Pick<PayoutHistory, "lane" | "payoutCode" | "callbackUrl">,
  deps: SentDefaults | null,
) {
  const unknown = { payoutCode: null, callbackUrl: null, payer: null };
  const usual = deps ? sentByDefault(lane, deps) : unknown;
  return {
    payer: usual.payer,
    payout_code: {
      text: payoutCode ?? usual.payoutCode,
      own: payoutCode !== null && payoutCode !== usual.payoutCode,
    },
    callback_url: { text: callbackUrl ?? usual.callbackUrl, own: callbackUrl !== null },
  };
}

/**
 * Returns an entry with the name of its actor. A process of payrun is a fact of the entry.
 *
 * @param displayOf returns the display name of an actor.
 */
export const timelineEntryView =
  (displayOf: (actor: string) => DisplayName) =>
  ({ at, actor, facts, ...rest }: TimelineEntry) => {
    const by = actor === null ? null : displayOf(actor);
    return {
      ...rest,
      at: at.toISOString(),
      actor: by && by.name,
      facts: by?.process
        ? [...facts, { name: "worker", value: workerHost(by.process) }]
        : [...facts],
    };
  };

/** Returns the details of a payout that are not empty, in the order of the file. */
export const detailsView = (details: PayoutDetails): { field: string; text: string }[] =>
  DETAIL_FIELDS.flatMap((field) => {
    const text = details[field];
    return text === undefined ? [] : [{ field, text }];
  });

/** Returns a payout as lists show it, with a masked account. */
export const payoutListItem = (payout: ListedPayout) => ({
  code: payout.code,
  batch_id: payout.batchId,
  batch_name: payout.batchName,
  batch_purpose: payout.batchPurpose,
  file_name: payout.fileName,
  line: payout.line,
  state: payout.state,
  batch_state: payout.batchState,
  needs_duplicate_reason: payout.isBlocked,
  reason: payout.reason,
  cause: payout.reason && causeText(payout.reason),
  currency: payout.money.currency,
  amount: formatMoney(payout.money),
  beneficiary: payout.beneficiary,
  is_erased: payout.isErased,
  account_last4: payout.accountLast4,
  bank: payout.bank,
  bank_name: payout.bankName,
  reference: payout.reference,
  gateway_number: payout.gatewayNumber,
  fee: payout.fee && formatMoney(payout.fee),
  attempts: payout.attempts,
  last_status_answer: payout.heard,
  retried_by: payout.retriedBy,
  sent_at: iso(payout.sentAt),
  settled_at: iso(payout.settledAt),
  updated_at: payout.updatedAt.toISOString(),
});
