import { ROW_CHECKS, type RowCheck } from "#approval/anomalies.ts";
import { overlapText } from "#approval/possible-duplicates.ts";

/**
 * The checks whose findings may be a second payment or a wrong account. An approver acknowledges
 * each such finding before the batch is approved.
 */
const DECISIVE_CHECKS: readonly RowCheck[] = [
  "paid_lately",
  "twice_here",
  "being_retried",
  "in_approved_batch",
  "one_digit_off",
  "other_account",
];

/** A finding as an approver saw and acknowledged it. */
export interface Acknowledgement {
  /** The code of the check, or `overlap:` and the ID of the other batch. */
  readonly finding: string;
  /** Number of rows that the finding had. */
  readonly rows: number;
}

/** A finding that an approver must acknowledge. */
export interface DecisiveFinding extends Acknowledgement {
  readonly says: string;
}

export interface FindingCounts {
  /** Number of rows that each check found. */
  readonly rowsOf: (check: RowCheck) => number;
  /** Other batches that pay the same accounts the same amounts. */
  readonly overlaps: readonly {
    readonly batchId: string;
    readonly rows: number;
    readonly percent: number;
  }[];
}

/** Returns the findings that an approver must acknowledge. */
export const decisiveFindings = ({ rowsOf, overlaps }: FindingCounts): DecisiveFinding[] => [
  ...overlaps.map(({ batchId, rows, percent }) => ({
    finding: `overlap:${batchId}`,
    rows,
    says: overlapText(batchId, percent),
  })),
  ...DECISIVE_CHECKS.flatMap((check) => {
    const rows = rowsOf(check);
    return rows === 0 ? [] : { finding: check, rows, says: ROW_CHECKS[check] };
  }),
];

/**
 * Returns the findings that lack an acknowledgement. One for another number of rows does not count,
 * because the approver saw other rows.
 */
export const notAcknowledged = (
  needed: readonly DecisiveFinding[],
  given: readonly Acknowledgement[],
): DecisiveFinding[] =>
  needed.filter(
    ({ finding, rows }) => !given.some((each) => each.finding === finding && each.rows === rows),
  );

/** The acknowledged findings as the audit log records them, if there are any. */
export const acknowledgedFact = (
  needed: readonly Acknowledgement[],
): { readonly acknowledged?: readonly Acknowledgement[] } =>
  needed.length === 0
    ? {}
    : { acknowledged: needed.map(({ finding, rows }) => ({ finding, rows })) };
