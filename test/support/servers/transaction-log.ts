import type { LogLine } from "#simulator/state/transaction-log.ts";

/** A line of `batch report --json`. */
export interface ReportLine {
  readonly line: number;
  readonly transaction_code: string | null;
  readonly state: string;
  readonly gateway_number: string | null;
  readonly reason: string | null;
  readonly transaction_amount: string;
  readonly currency_code: string;
}

/** The gateway's transaction log of one code. */
export interface LoggedCode {
  accepted: number;
  ended: string[];
}

export function logByCode(lines: readonly LogLine[]): Map<string, LoggedCode> {
  const codes = new Map<string, LoggedCode>();
  for (const { event, transaction_code: code } of lines) {
    const booked = codes.get(code) ?? { accepted: 0, ended: [] };
    if (event === "accepted") booked.accepted += 1;
    if (event === "settled" || event === "failed") booked.ended.push(event);
    codes.set(code, booked);
  }
  return codes;
}

/**
 * Differences between payrun's report and the gateway's transaction log; empty when all is well.
 */
export interface Differences {
  /** Codes that the log accepted more than once: money paid twice. */
  readonly paidTwice: readonly string[];
  /** Reported settled, without a settlement in the log. */
  readonly settledWithoutPayment: readonly string[];
  /** Reported as not moved, but accepted in the log. */
  readonly paidUnreported: readonly string[];
  /** Accepted by the gateway under a code that the report lacks. */
  readonly strangers: readonly string[];
}

export function differences(report: readonly ReportLine[], lines: readonly LogLine[]): Differences {
  const book = logByCode(lines);
  const ours = new Set(report.map(({ transaction_code }) => transaction_code));
  const codesOf = (test: (state: string, booked: LoggedCode | undefined) => boolean): string[] =>
    report.flatMap(({ transaction_code: code, state }) =>
      code !== null && test(state, book.get(code)) ? [code] : [],
    );
  return {
    paidTwice: [...book].flatMap(([code, { accepted }]) => (accepted > 1 ? [code] : [])),
    settledWithoutPayment: codesOf(
      (state, booked) => state === "settled" && !booked?.ended.includes("settled"),
    ),
    paidUnreported: codesOf(
      (state, booked) =>
        ["declined", "cancelled", "approved", "awaiting_approval"].includes(state) &&
        (booked?.accepted ?? 0) > 0 &&
        !booked?.ended.includes("failed"),
    ),
    strangers: [...book].flatMap(([code, { accepted }]) =>
      accepted > 0 && !ours.has(code) ? [code] : [],
    ),
  };
}

export const NO_DIFFERENCE: Differences = {
  paidTwice: [],
  settledWithoutPayment: [],
  paidUnreported: [],
  strangers: [],
};
