import { type Money, readDecimal } from "#money/money.ts";

/** How many people it takes to pay a batch, its maker included. One: who brings the file may pay it alone. */
export type People = 1 | 2 | 3;

export interface ApprovalRule {
  /** Null: each currency by itself. */
  readonly currency: string | null;
  /** Both are needed: a large sum may stand in one row, or be split over many small ones. */
  readonly measure: "row" | "total";
  /** Exact decimal text in units of the currency; the rule holds from the first unit above it. */
  readonly above: string;
  readonly people: People;
}

export interface ApprovalPolicy {
  /** What every batch takes. The rules only add to it. */
  readonly base: People;
  readonly rules: readonly ApprovalRule[];
}

/** What the good rows of one currency come to. */
export interface CurrencySums {
  readonly largest: Money;
  readonly total: Money;
}

export interface Needed {
  readonly people: People;
  /** The rule that asks for more than every batch takes. */
  readonly rule: ApprovalRule | null;
}

/** The strictest rule that holds for a batch with these sums. */
export function peopleNeeded(
  { base, rules }: ApprovalPolicy,
  sums: readonly CurrencySums[],
): Needed {
  let needed: Needed = { people: base, rule: null };
  for (const rule of rules) {
    if (rule.people > needed.people && sums.some((each) => holds(rule, each))) {
      needed = { people: rule.people, rule };
    }
  }
  return needed;
}

function holds({ currency, measure, above }: ApprovalRule, sums: CurrencySums): boolean {
  const amount = measure === "row" ? sums.largest : sums.total;
  if (currency !== null && currency !== amount.currency) return false;
  const limit = readDecimal(above, amount.minorDigits);
  if (!limit) throw new Error(`a rule's amount is no decimal: ${above}`);
  // A limit with more decimals than the currency is counted in its own, finer unit.
  const scale = 10n ** BigInt(limit.minorDigits - amount.minorDigits);
  return amount.minor * scale > limit.minor;
}

/** Why a batch takes so many people, in words for them. */
export function whyNeeded({ people, rule }: Needed): string {
  if (!rule) return people === 1 ? "one person may pay it" : `every batch takes ${people} people`;
  const what = rule.measure === "row" ? "a payout" : "a total";
  return `${what} above ${rule.above} ${rule.currency ?? "in any currency"} takes ${people} people`;
}
