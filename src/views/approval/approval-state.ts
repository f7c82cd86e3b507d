import {
  type BatchState,
  BATCH_STATES,
  isBeforeApproval,
  isReadyForApproval,
} from "#intake/batch/batch-lifecycle.ts";
import type { ServerDeps } from "#views/deps.ts";
import type { Person } from "#views/person.ts";
import { approvalsOf, approversNeeded } from "#ledger/approval/approvals.ts";
import {
  type WaitingBatch,
  findWaitingBatches,
  whyApprovalsMissing,
} from "#ledger/approval/waiting-batches.ts";
import type { Batch } from "#ledger/ledger.ts";
import { amountOf } from "#money/format.ts";
import type { Money } from "#money/money.ts";

/** Returns a time in ISO 8601, or null. */
export const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

export interface Allowance {
  readonly may: boolean;
  readonly why_not: string | null;
}

/** Returns "allowed" unless one of the reasons applies; the first that applies is returned. */
export function allowedUnless(...reasons: readonly (string | false | null)[]): Allowance {
  const why = reasons.find((reason) => typeof reason === "string") ?? null;
  return { may: why === null, why_not: why || null };
}

/** Returns how many more approvals a batch needs. */
export const missingApprovals = ({ peopleNeeded, limitPeople, given }: WaitingBatch): number =>
  Math.max(approversNeeded(peopleNeeded, limitPeople) - given, 0);

/** Returns the state of the batch's approvals, as every user may see it. */
export async function policyDocument(
  { database }: ServerDeps,
  waiting: WaitingBatch,
  state: BatchState,
) {
  const approvals = await approvalsOf(database, waiting.batchId);
  const isOpen = isReadyForApproval(state);
  return {
    people: waiting.peopleNeeded,
    why: waiting.peopleWhy,
    limit_people: waiting.limitPeople,
    given: waiting.given,
    missing: isOpen ? missingApprovals(waiting) : 0,
    possible_approvers: [...waiting.able],
    blocked: isOpen ? whyApprovalsMissing(waiting) : null,
    approvals: approvals.map((each) => ({
      user_id: each.userId,
      name: each.name,
      at: each.at.toISOString(),
      expires_at: each.expiresAt.toISOString(),
      withdrawn_at: iso(each.withdrawnAt),
      withdrawn_reason: each.withdrawnWhy,
      live: each.live,
    })),
  };
}

/** Returns the batch as one that may wait for this person's approval; null if it does not exist. */
export async function findWaitingBatch(
  { database }: ServerDeps,
  batchId: string,
  person: Person | null,
): Promise<WaitingBatch | null> {
  const userId = person?.kind === "user" ? person.id : null;
  const [waiting] = await findWaitingBatches(database, userId, batchId);
  return waiting ?? null;
}

export const ONLY_UPLOADERS_WITHDRAW =
  "Only a person who uploaded or edited the batch can withdraw it from approval.";
export const NO_DRAFT =
  "A batch from the command line cannot become a draft. Ask an operator to cancel it.";

export const ANOMALIES_PENDING =
  "payrun is still checking the batch for anomalies. You can approve the batch when the check is complete.";

/**
 * Returns whether this person may approve the batch, with the reason if not. The reasons are in the
 * order in which people can act on them.
 */
export const mayApproveNow = (
  person: Person,
  waiting: WaitingBatch,
  state: BatchState,
): Allowance =>
  allowedUnless(
    waiting.own && "You uploaded or edited this batch: another person must approve it.",
    !person.permissions.has("approve") && "You are not an approver.",
    person.kind === "key" && "Only a signed-in user can approve.",
    state === "draft" && "The uploader has not sent the batch for approval yet.",
    state !== "awaiting_approval" &&
      `The batch is not awaiting approval. Its state is “${BATCH_STATES[state].word}”: ${BATCH_STATES[state].means}.`,
    waiting.approved &&
      "You have already approved this batch. Other approvers must approve it as well.",
  );

/** Totals of a batch per currency, with the number of payouts. */
export function totalsOf(lanes: readonly { readonly rows: number; readonly total: Money }[]) {
  const byCurrency = Map.groupBy(lanes, ({ total }) => total.currency);
  return [...byCurrency.values()].flatMap((same) => {
    const [first] = same;
    if (!first) return [];
    const minor = same.reduce((sum, { total }) => sum + total.minor, 0n);
    const payouts = same.reduce((sum, { rows }) => sum + rows, 0);
    return { ...amountOf({ ...first.total, minor }), payouts };
  });
}

/** Whether this person may release a batch in quarantine. */
export const mayRelease = (person: Person, causes: readonly unknown[]) =>
  allowedUnless(
    causes.length === 0 && "The batch is not in quarantine.",
    !person.permissions.has("operate") &&
      "An operator must release the batch after comparing it with the gateway's records.",
    person.kind === "key" && "Only a signed-in user can release the batch.",
  );

/**
 * Whether the person may set the priority of a batch: its maker until it is approved, then
 * approvers and operators until it is finished.
 */
export function mayPrioritize(
  { permissions, actor }: Person,
  { state, maker, isOver }: Pick<Batch, "state" | "maker"> & { readonly isOver: boolean },
): Allowance {
  const may =
    permissions.has("operate") ||
    permissions.has("approve") ||
    (permissions.has("upload") && maker === actor && isBeforeApproval(state));
  return allowedUnless(
    !may && "Only approvers, operators and, before approval, the uploader can change the priority.",
    isOver && "The batch is finished.",
  );
}

/** Returns a function that says why this person may not set the priority of a batch, or null. */
export const whyNotPrioritize =
  (person: Person) =>
  (batch: Batch): string | null =>
    mayPrioritize(person, { ...batch, isOver: batch.finishedAt !== null }).why_not;
