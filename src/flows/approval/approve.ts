import { type Acknowledgement, acknowledgedFact } from "#approval/acknowledgements.ts";
import { type Approval, type ApprovalProblem, mayApprove } from "#approval/approval.ts";
import {
  isHardLimitExceeded,
  type LimitsExceeded,
  describeLimitBreach,
  describeLimitRemedy,
  LimitsRefused,
} from "#approval/payout-limits.ts";
import type { BatchEvent } from "#intake/batch/batch-lifecycle.ts";
import { numbersComparedFact, type StoredAsNumber } from "#intake/workbook/numeric-accounts.ts";
import { openCauses, type QuarantineRefusal } from "#intake/batch/quarantine.ts";
import {
  type ExactDuplicatesRefusal,
  ExactDuplicatesRefused,
} from "#intake/batch/exact-duplicates.ts";
import type { Batch, PayingLedger } from "#ledger/ledger.ts";
import { type Money, sumByCurrency } from "#money/money.ts";
import { err, ok, type Result } from "#base/result.ts";
import { withSpan } from "#base/telemetry/spans.ts";
import type { SendTime } from "#schedule/release.ts";

export type ApproveRefusal =
  | { readonly kind: "not_found" }
  | { readonly kind: "wrong_state"; readonly state: Batch["state"] }
  | { readonly kind: "refused"; readonly problems: readonly ApprovalProblem[] }
  | { readonly kind: "more_people"; readonly people: number; readonly why: string }
  | QuarantineRefusal
  | ExactDuplicatesRefusal
  | LimitsExceeded;

export interface ApproveOptions {
  readonly ledger: PayingLedger;
  /** The state in which the approver saw the batch. Undefined: its current state. */
  readonly seen?: Batch["state"];
  /** Approves the batch without its rejected rows. */
  readonly leaveOut?: boolean;
  /** The values stored as numbers that the approver has compared with their source. */
  readonly compared?: readonly StoredAsNumber[];
  /** The findings that the approver has acknowledged. */
  readonly acknowledged?: readonly Acknowledgement[];
  /** The time at which the batch is sent. Null: immediately. Undefined: the time planned before. */
  readonly send?: SendTime | null;
}

/** States the corrections that are needed, one sentence each. */
export const describeLimitsExceeded = ({
  breaches,
  uncovered,
}: LimitsExceeded): readonly string[] => [
  ...breaches.map((each) => `${describeLimitBreach(each)} ${describeLimitRemedy(each)}`),
  ...uncovered,
];

/**
 * Approves a batch in the version that the approver saw, if that person may approve it alone.
 * Batch, payouts and audit line are written in one transaction. A batch that needs several
 * approvers is approved by each of them in turn (record-approval.ts).
 */
export const approve = (
  batchId: string,
  approval: Approval,
  options: ApproveOptions,
): Promise<Result<true, ApproveRefusal>> =>
  withSpan({ name: "approve batch", of: { batchId } }, () =>
    approveAlone(batchId, approval, options),
  );

async function approveAlone(
  batchId: string,
  approval: Approval,
  { ledger, seen, leaveOut = false, compared = [], acknowledged = [], send }: ApproveOptions,
): Promise<Result<true, ApproveRefusal>> {
  const batch = await ledger.payout.findBatch({ id: batchId });
  if (!batch) return err({ kind: "not_found" });

  // Its uploader may have withdrawn it meanwhile: it is a draft that nobody sent for approval.
  if (batch.state === "draft" && seen === "awaiting_approval")
    return err({ kind: "wrong_state", state: batch.state });

  const { peopleNeeded: people, peopleWhy: why } = batch;
  if (people > 1) return err({ kind: "more_people", people, why });

  const totals = totalsOf(batch);
  const allowed = mayApprove({ contentDigest: batch.contentDigest, totals }, approval);
  if (!allowed.ok) return err({ kind: "refused", problems: allowed.error });

  // The approval itself leaves out the rows with problems. No earlier step does.
  const { actor } = approval;
  const leavesOut = leaveOut && batch.state === "needs_correction";
  // A person who may approve a batch alone also sends it for approval.
  const isSent = leavesOut || batch.state === "draft";
  const precededBy: readonly BatchEvent[] = [
    ...(leavesOut ? (["leave_out"] as const) : []),
    ...(isSent ? (["request_approval"] as const) : []),
  ];
  try {
    const moved = await ledger.payout.moveBatch({
      id: batchId,
      event: "approve",
      reason: null,
      actor,
      precededBy,
      contentDigest: approval.contentDigest,
      ...(send !== undefined && { send }),
      facts: {
        content_digest: batch.contentDigest,
        totals: minorTexts(totals),
        ...numbersComparedFact(compared),
        ...acknowledgedFact(acknowledged),
      },
    });
    if (moved !== null) return ok(true);
    const causes = openCauses(await ledger.intake.quarantineOf(batchId));
    return err(
      causes.length > 0
        ? { kind: "quarantined", causes }
        : { kind: "wrong_state", state: batch.state },
    );
  } catch (error) {
    if (error instanceof ExactDuplicatesRefused) return err(error.refusal);
    if (!(error instanceof LimitsRefused)) throw error;
    const { breaches, uncovered } = error.refusal;
    if (isHardLimitExceeded(breaches) || uncovered.length > 0) return err(error.refusal);
    const passed = breaches.map(describeLimitBreach).join(" ").replace(/\.$/, "");
    return err({ kind: "more_people", people: people + 1, why: passed });
  }
}

/** Totals of the good rows, per currency. */
export const totalsOf = (batch: Batch): ReadonlyMap<string, Money> =>
  sumByCurrency(batch.lanes.map(({ total }) => total));

/** The totals as the audit log records them: minor units, per currency. */
export const minorTexts = (totals: ReadonlyMap<string, Money>): Readonly<Record<string, string>> =>
  Object.fromEntries([...totals].map(([currency, { minor }]) => [currency, `${minor}`]));
