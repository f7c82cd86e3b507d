/** A payout in payouts.jsonl, with the records that prove its course. */
export interface PackPayout {
  readonly transaction_code: string;
  readonly batch_id: string;
  readonly line: number;
  readonly lane: string;
  readonly currency: string;
  readonly amount: string;
  /** The state in the ledger. */
  readonly state: string;
  readonly reason: string | null;
  readonly gateway_number: string | null;
  readonly fee: string | null;
  readonly attempts: readonly unknown[];
  readonly evidence: readonly PackEvidence[];
  readonly transitions: readonly PackTransition[];
  readonly beneficiary: Readonly<Record<string, string>>;
  readonly reference: string | null;
  readonly outcome: string;
  readonly proven_at: string | null;
}

/** Claims about money of a payout, derived from its records. */
interface Outcome {
  /**
   * The state in the ledger. `return_reported` and `unproven`: it is settled or returned there, but
   * the last status answer does not show that.
   */
  readonly outcome: string;
  /** Time of the status answer that proves the outcome. */
  readonly proven_at: string | null;
}

interface PackEvidence {
  readonly kind: string;
  readonly at: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

interface PackTransition {
  readonly seq: number;
  readonly from: string;
  readonly to: string;
}

/** States of a status answer that prove the state of the ledger. */
const PROOF: Readonly<Record<string, readonly string[]>> = {
  settled: ["completed"],
  returned: ["failed", "reversed"],
};

/**
 * Returns what the records prove about the money. Only the last status answer with a record of the
 * payout counts, and only for the same code, amount and currency.
 */
export function outcomeOf(payout: Omit<PackPayout, "outcome" | "proven_at">): Outcome {
  const expected = PROOF[payout.state];
  if (!expected) return { outcome: payout.state, proven_at: null };
  const last = payout.evidence.findLast(
    ({ kind, facts }) => kind === "status" && facts["answer"] === "found",
  );
  const isSame =
    last?.facts["transactionCode"] === payout.transaction_code &&
    String(last.facts["currency"]).toUpperCase() === payout.currency &&
    plainDecimal(last.facts["amount"]) === plainDecimal(payout.amount);
  const state = String(last?.facts["state"]);
  if (last && isSame && expected.includes(state))
    return { outcome: payout.state, proven_at: last.at };
  const isReported = payout.state === "settled" && PROOF["returned"]?.includes(state);
  return { outcome: isReported ? "return_reported" : "unproven", proven_at: null };
}

/** Writes a decimal without needless zeros: "0100.50" and "100.5" are the same amount. */
const plainDecimal = (text: unknown): string | null => {
  const [, whole, fraction = ""] = /^\s*0*(\d+)(?:\.(\d+))?\s*$/.exec(String(text)) ?? [];
  return whole === undefined ? null : `${whole}.${fraction.replace(/0+$/, "")}`;
};

/** Returns whether the transitions lead from the first state to the present one without a gap. */
export const isCourseComplete = ({ transitions, state }: PackPayout): boolean =>
  transitions.every(
    ({ seq, from }, place) =>
      seq === place + 1 && from === (transitions[place - 1]?.to ?? "awaiting_approval"),
  ) && state === (transitions.at(-1)?.to ?? "awaiting_approval");

export const CSV_HEADER =
  "transaction_code,line,currency,amount,outcome,fee,gateway_number,proven_at\n";

/**
 * Returns the line of a payout in payouts.csv. Its values need no quotes. A code that a spreadsheet
 * would read as a formula gets an apostrophe.
 */
export const csvLine = (payout: PackPayout): string =>
  `${[
    payout.transaction_code.replace(/^-/, "'-"),
    payout.line,
    payout.currency,
    payout.amount,
    payout.outcome,
    payout.fee ?? "",
    payout.gateway_number ?? "",
    payout.proven_at ?? "",
  ].join(",")}\n`;

/** Number and sum of payouts of a lane with the same outcome. */
export interface PackTotal {
  readonly lane: string;
  readonly currency: string;
  readonly outcome: string;
  readonly payouts: number;
  readonly amount: string;
}

/** Adds up payouts by lane and outcome, exactly. */
export class PackTotals {
  readonly #sums = new Map<string, { count: number; minor: bigint; digits: number }>();

  /** @throws RangeError if amounts of one currency have different numbers of decimals. */
  add({ lane, currency, outcome, amount }: Omit<PackTotal, "payouts">, payouts = 1): void {
    const key = JSON.stringify([lane, currency, outcome]);
    const digits = amount.split(".")[1]?.length ?? 0;
    const sum = this.#sums.get(key) ?? { count: 0, minor: 0n, digits };
    if (sum.digits !== digits) throw new RangeError(`${currency} ${amount}: other decimals`);
    sum.count += payouts;
    sum.minor += BigInt(amount.replace(".", ""));
    this.#sums.set(key, sum);
  }

  /** Returns the totals, sorted by lane and outcome. */
  list(): PackTotal[] {
    const keys = [...this.#sums.keys()].toSorted((one, other) => (one < other ? -1 : 1));
    return keys.map((key) => {
      const [lane, currency, outcome] = JSON.parse(key) as [string, string, string];
      const { count, minor, digits } = this.#sums.get(key) ?? { count: 0, minor: 0n, digits: 0 };
      const text = String(minor).padStart(digits + 1, "0");
      const amount = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
      return { lane, currency, outcome, payouts: count, amount };
    });
  }

  /** Returns the totals of lanes whose payouts were all added with one outcome. */
  listByLane(): Omit<PackTotal, "outcome">[] {
    return this.list().map(({ lane, currency, payouts, amount }) => ({
      lane,
      currency,
      payouts,
      amount,
    }));
  }
}

/** The facts of summary.json that a verifier compares with the payouts. */
export interface PackSummary {
  readonly totals: readonly PackTotal[];
  /** Approved number and sum per lane. Null: the pack is about one payout. */
  readonly lanes: readonly Omit<PackTotal, "outcome">[] | null;
}
