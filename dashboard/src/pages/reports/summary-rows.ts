import type { Fees, Results, Times } from "./queries.ts";

/** The figures of one currency, or of all. */
export interface SummaryRow {
  /** Null: all currencies, of which only counts can be added. */
  readonly currency: string | null;
  readonly settled: number;
  readonly settledAmount: string | null;
  readonly declined: number;
  readonly returned: number;
  readonly returnedAmount: string | null;
  readonly successPercent: string | null;
  readonly fees: string | null;
  readonly withoutFee: number;
  readonly medianSeconds: number | null;
  readonly p95Seconds: number | null;
}

/** Returns the figures of each currency. Fees and times are unknown while they load. */
export const summaryRows = (
  results: Results,
  fees: Fees | undefined,
  times: Times | undefined,
): readonly SummaryRow[] =>
  results.period.map((each) => {
    const fee = fees?.period.find(({ currency }) => currency === each.currency);
    const time = times?.period.find(({ currency }) => currency === each.currency);
    return {
      currency: each.currency,
      settled: each.settled,
      settledAmount: each.settled_amount,
      declined: each.declined,
      returned: each.returned,
      returnedAmount: each.returned_amount,
      successPercent: each.success_percent,
      fees: fee?.amount ?? null,
      withoutFee: fee?.without_fee ?? 0,
      medianSeconds: time?.median_seconds ?? null,
      p95Seconds: time?.p95_seconds ?? null,
    };
  });

/** Returns the counts and the success rate of all currencies. */
export function totalOf(rows: readonly SummaryRow[]): SummaryRow {
  const sumOf = (name: "settled" | "declined" | "returned" | "withoutFee") =>
    rows.reduce((sum, row) => sum + row[name], 0);
  const [settled, declined] = [sumOf("settled"), sumOf("declined")];
  return {
    currency: null,
    settled,
    settledAmount: null,
    declined,
    returned: sumOf("returned"),
    returnedAmount: null,
    successPercent: successPercent(settled, declined),
    fees: null,
    withoutFee: sumOf("withoutFee"),
    medianSeconds: null,
    p95Seconds: null,
  };
}

/** Rounded down to two decimals, as the server rounds the rate of a currency. */
function successPercent(settled: number, declined: number): string | null {
  const all = settled + declined;
  if (all === 0) return null;
  const hundredths = String((BigInt(settled) * 10_000n) / BigInt(all)).padStart(3, "0");
  return `${hundredths.slice(0, -2)}.${hundredths.slice(-2)}`;
}
