/** Number of days after its approval in which a payout is reported if it is paid again. */
export const EXACT_DUPLICATE_DAYS = 7;

/**
 * Payouts of a batch that another batch already pays: the same account, name, currency and amount.
 */
export interface ExactDuplicates {
  readonly batchId: string;
  readonly approvedAt: Date;
  readonly rows: number;
  /** Some of the lines, starting with the first. */
  readonly lines: readonly number[];
  /** True: a person has confirmed it with a reason. */
  readonly isAllowed: boolean;
}

/** Describes exact duplicates in one earlier batch, with their lines. */
export function describeExactDuplicates({
  batchId,
  approvedAt,
  rows,
  lines,
}: ExactDuplicates): string {
  const [many, duplicate] =
    rows === 1 ? ["1 payout", "duplicates a payout"] : [`${rows} payouts`, "duplicate payouts"];
  const where = `${lines.length === 1 ? "line" : "lines"} ${lines.join(", ")}${rows > lines.length ? ", …" : ""}`;
  return `${many} (${where}) ${duplicate} in batch ${batchId}, approved on ${approvedAt.toISOString().slice(0, 10)} (UTC): same account, name and amount.`;
}

export interface ExactDuplicatesRefusal {
  readonly kind: "exact_duplicates";
  readonly duplicates: readonly ExactDuplicates[];
}

/** Thrown inside an approval to roll it back completely. */
export class ExactDuplicatesRefused extends Error {
  readonly refusal: ExactDuplicatesRefusal;

  constructor(duplicates: readonly ExactDuplicates[]) {
    super("the batch contains exact duplicates of another batch");
    this.refusal = { kind: "exact_duplicates", duplicates };
  }
}
