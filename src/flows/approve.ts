import { type Approval, type ApprovalProblem, mayApprove } from "#batch/approval.ts";
import {
  isRefused,
  type PastLimits,
  sayBreach,
  sayRemedy,
  LimitsRefused,
} from "#batch/money-limits.ts";
import { comparedFact, type HeldAsNumber } from "#batch/held-numbers.ts";
import { openCauses, type Quarantined } from "#batch/quarantine.ts";
import { type Repeated, RepeatsRefused } from "#batch/repeats.ts";
import type { Batch, Ledger } from "#ledger/ledger.ts";
import { type Money, sumByCurrency } from "#money/money.ts";
import { err, ok, type Result } from "#result.ts";
import type { SendTime } from "#schedule/release.ts";

export type ApproveRefusal =
  | { readonly kind: "not_found" }
  | { readonly kind: "wrong_state"; readonly state: Batch["state"] }
  | { readonly kind: "refused"; readonly problems: readonly ApprovalProblem[] }
  | { readonly kind: "more_people"; readonly people: number; readonly why: string }
  | Quarantined
  | Repeated
  | PastLimits;

export interface ApproveOptions {
  readonly ledger: Ledger;
  /** Goes on without the rejected rows. */
  readonly leaveOut?: boolean;
  /** What whoever approves says to have compared with other papers. */
  readonly compared?: readonly HeldAsNumber[];
  /** When it goes out; null: at once; left out: as it was to. */
  readonly send?: SendTime | null;
}

/** What there is to do about it, one sentence after the other. */
export const sayPastLimits = ({ breaches, uncovered }: PastLimits): readonly string[] => [
  ...breaches.map((each) => `${sayBreach(each)} ${sayRemedy(each)}`),
  ...uncovered,
];

/**
 * Approves a batch as it was seen, by one who may pay it alone: batch, payouts and audit line in one transaction. What
 * takes more people is approved by them, one by one (record-approval.ts).
 */
export async function approve(
  batchId: string,
  approval: Approval,
  { ledger, leaveOut = false, compared = [], send }: ApproveOptions,
): Promise<Result<true, ApproveRefusal>> {
  const batch = await ledger.findBatch({ id: batchId });
  if (!batch) return err({ kind: "not_found" });

  const { peopleNeeded: people, peopleWhy: why } = batch;
  if (people > 1) return err({ kind: "more_people", people, why });

  const totals = totalsOf(batch);
  const allowed = mayApprove({ contentDigest: batch.contentDigest, totals }, approval);
  if (!allowed.ok) return err({ kind: "refused", problems: allowed.error });

  // Rows with problems are left out by the same word that approves the others, never before it.
  const { actor } = approval;
  if (leaveOut && batch.state === "needs_correction") {
    await ledger.moveBatch({ id: batchId, event: "leave_out", reason: null, actor });
  }
  try {
    const moved = await ledger.moveBatch({
      id: batchId,
      event: "approve",
      reason: null,
      actor,
      contentDigest: approval.contentDigest,
      ...(send !== undefined && { send }),
      facts: {
        content_digest: batch.contentDigest,
        totals: minorTexts(totals),
        ...comparedFact(compared),
      },
    });
    if (moved !== null) return ok(true);
    const causes = openCauses(await ledger.quarantineOf(batchId));
    return err(
      causes.length > 0
        ? { kind: "quarantined", causes }
        : { kind: "wrong_state", state: batch.state },
    );
  } catch (error) {
    if (error instanceof RepeatsRefused) return err(error.refusal);
    if (!(error instanceof LimitsRefused)) throw error;
    const { breaches, uncovered } = error.refusal;
    if (isRefused(breaches) || uncovered.length > 0) return err(error.refusal);
    const passed = breaches.map(sayBreach).join(" ").replace(/\.$/, "");
    return err({ kind: "more_people", people: people + 1, why: passed });
  }
}

/** What the good rows come to, per currency. */
export const totalsOf = (batch: Batch): ReadonlyMap<string, Money> =>
  sumByCurrency(batch.lanes.map(({ total }) => total));

/** As they are kept on the audit log: minor units, per currency. */
export const minorTexts = (totals: ReadonlyMap<string, Money>): Readonly<Record<string, string>> =>
  Object.fromEntries([...totals].map(([currency, { minor }]) => [currency, `${minor}`]));
