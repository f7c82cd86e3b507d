import type { z } from "zod";
import type { APPROVAL_API } from "#api/approval/approvals.ts";
import { extraApprovers, isHardLimitExceeded } from "#approval/payout-limits.ts";
import { isReadyForApproval } from "#intake/batch/batch-lifecycle.ts";
import { openCauses, causeText } from "#intake/batch/quarantine.ts";
import { type ExactDuplicates, describeExactDuplicates } from "#intake/batch/exact-duplicates.ts";
import {
  allowedUnless,
  mayApproveNow,
  mayPrioritize,
  mayRelease,
  policyDocument,
  ANOMALIES_PENDING,
  totalsOf,
  findWaitingBatch,
} from "#views/approval/approval-state.ts";
import type { ServerDeps } from "#views/deps.ts";
import type { Person } from "#views/person.ts";
import { Problem } from "#api/app/problems.ts";
import { exactDuplicatesIn } from "#views/approval/exact-duplicates.ts";
import { sentByDefault } from "#views/approval/default-values.ts";
import { problemViewer } from "#views/row-problem.ts";
import { findBatchStatuses } from "#views/schedule/batch-status.ts";
import { findAnomaliesOf } from "#views/approval/anomalies.ts";
import { storedAsNumbers } from "#ledger/intake/batch-findings.ts";
import { countCorrectedRows } from "#ledger/approval/review-rows.ts";
import { findBatchLimitBreaches } from "#ledger/approval/limit-use.ts";
import type { WaitingBatch } from "#ledger/approval/waiting-batches.ts";
import type { Batch } from "#ledger/payout/batches.ts";
import { findActorNames } from "#ledger/people/names.ts";
import { findAllowedDuplicates } from "#ledger/intake/exact-duplicates.ts";
import { readDescription } from "#ledger/intake/batch-description.ts";
import { laneParts } from "#payout/payout.ts";

type Sheet = z.output<(typeof APPROVAL_API)["GET /api/batches/:id/approval"]["answer"]>;

/** Returns the facts that an approver examines before approving a batch. */
export async function approvalSheet(
  batchId: string,
  person: Person,
  deps: ServerDeps,
): Promise<Sheet> {
  const { ledger, database } = deps;
  const batch = await ledger.payout.findBatch({ id: batchId });
  const stored = await findWaitingBatch(deps, batchId, person);
  if (!batch || !stored) throw new Problem("not_found");
  const isWaiting = batch.state === "awaiting_approval";
  const isReady = isReadyForApproval(batch.state);
  const [breaches, repeats, unusual] = await findingsOf(batch, isReady, deps);
  const waiting = isReady ? { ...stored, limitPeople: extraApprovers(breaches) } : stored;
  const allowed = await findAllowedDuplicates(database, batchId);
  const nameOf = await findActorNames(database, [
    batch.maker,
    ...allowed.map(({ actor }) => actor),
  ]);
  const hasOpenRepeats = (repeats ?? []).some(({ isAllowed }) => !isAllowed);
  const quarantine = openCauses(await ledger.intake.quarantineOf(batchId));
  const shown = await shownBatch(batch, deps);
  return {
    ...shown,
    // A search that has finished is newer than the recorded one.
    needs_duplicate_reason:
      repeats === null ? shown.needs_duplicate_reason : isWaiting && hasOpenRepeats,
    maker: { actor: batch.maker, name: nameOf(batch.maker) },
    policy: await policyDocument(deps, waiting, batch.state),
    anomalies: unusual,
    quarantine: quarantine.map(causeText),
    duplicates: {
      looking: repeats === null,
      found: (repeats ?? []).map(shownRepeat),
      allowed: allowed.map(({ actor, reason, at }) => ({
        actor,
        name: nameOf(actor),
        reason,
        at: at.toISOString(),
      })),
    },
    you: actionsOf(person, {
      batch,
      waiting,
      isWaiting,
      quarantine,
      isSearched: unusual !== null,
      isPastLimit: isHardLimitExceeded(breaches),
      hasOpenRepeats,
    }),
  };
}

/**
 * Returns the exceeded payout limits, the exact duplicates and the anomalies. Each reads the whole
 * batch; they run concurrently, so that a large batch is not waited for three times.
 */
const findingsOf = (batch: Batch, isReady: boolean, deps: ServerDeps) =>
  Promise.all([
    isReady ? findBatchLimitBreaches(deps.database, batch.id, new Date(deps.clock.nowMs())) : [],
    isReady ? exactDuplicatesIn(batch, deps) : [],
    findAnomaliesOf(batch, deps),
  ]);

async function shownBatch(batch: Batch, { database, deps }: ServerDeps) {
  const statusOf = await findBatchStatuses(database, [batch.id]);
  return {
    batch_id: batch.id,
    file: batch.fileName,
    name: batch.name,
    purpose: (await readDescription(database, batch.id)).purpose,
    state: batch.state,
    reason: batch.reason,
    created_at: batch.createdAt.toISOString(),
    priority: batch.priority,
    content_digest: batch.contentDigest,
    rows: batch.rows,
    rejected: batch.rejected,
    corrected: await countCorrectedRows(database, batch.id),
    totals: totalsOf(batch.lanes),
    notes: batch.facts.notes.map(problemViewer(false)),
    numbers: await storedAsNumbers(database, batch.id),
    ...statusOf(batch.id),
    sent: batch.lanes.map(({ lane }) => {
      const { payoutCode, callbackUrl } = sentByDefault(lane, deps);
      const { merchantCode } = laneParts(lane);
      return {
        lane,
        merchant_code: merchantCode,
        payout_code: payoutCode,
        callback_url: callbackUrl,
      };
    }),
  };
}

const shownRepeat = (repeat: ExactDuplicates) => ({
  batch_id: repeat.batchId,
  rows: repeat.rows,
  lines: [...repeat.lines],
  says: describeExactDuplicates(repeat),
  allowed: repeat.isAllowed,
});

interface Examined {
  readonly batch: Batch;
  readonly waiting: WaitingBatch;
  readonly isWaiting: boolean;
  readonly quarantine: readonly unknown[];
  readonly isSearched: boolean;
  readonly isPastLimit: boolean;
  readonly hasOpenRepeats: boolean;
}

/** Lists the actions of this person on a batch, each with the reason why it is not allowed. */
function actionsOf(person: Person, examined: Examined): Sheet["you"] {
  const { batch, waiting, isWaiting, quarantine, hasOpenRepeats } = examined;
  const { state, maker, finishedAt } = batch;
  const approve = mayApproveNow(person, waiting, state);
  const notWaiting = !isWaiting && "The batch is not awaiting approval.";
  return {
    approve: approve.may
      ? allowedUnless(
          quarantine.length > 0 &&
            "The batch is in quarantine: it may have been paid before the ledger was restored.",
          !examined.isSearched && ANOMALIES_PENDING,
          examined.isPastLimit && "The batch exceeds a hard payout limit.",
          hasOpenRepeats && "The batch contains exact duplicates that have not been allowed.",
        )
      : approve,
    reject: allowedUnless(
      !person.permissions.has("approve") && "You are not an approver.",
      notWaiting,
    ),
    prioritize: mayPrioritize(person, { state, maker, isOver: finishedAt !== null }),
    release_quarantine: mayRelease(person, quarantine),
    allow_duplicates: allowedUnless(
      !isReadyForApproval(state) && "The batch is not awaiting approval.",
      !hasOpenRepeats && "All exact duplicates have already been allowed.",
      !person.permissions.has("upload") && "You are not an uploader.",
      person.kind === "key" && "Only a signed-in user can do this.",
    ),
    withdraw: allowedUnless(
      !(waiting.approved && isWaiting) && "You have not approved this batch.",
    ),
  };
}
