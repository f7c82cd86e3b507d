import { groupDigits } from "#money/format.ts";
import { type Money, parseDecimal } from "#money/money.ts";

/**
 * Number of people needed to pay a batch, including its uploader. With 1, the uploader may pay it
 * alone.
 */
export type People = 1 | 2 | 3;

export interface ApprovalRule {
  /** Currency code. Null: the rule applies to each currency separately. */
  readonly currency: string | null;
  /** Both measures are needed: a large sum may be in one row or split over many small rows. */
  readonly measure: "row" | "total";
  /** Exact decimal text in units of the currency. The rule applies to amounts strictly above it. */
  readonly above: string;
  readonly people: People;
}

export interface ApprovalPolicy {
  /** Minimum number of people for every batch. The rules can only raise it. */
  readonly base: People;
  readonly rules: readonly ApprovalRule[];
}

/** Totals of the valid rows in one currency. */
export interface CurrencySums {
  readonly largest: Money;
  readonly total: Money;
}

export interface PeopleNeeded {
  readonly people: People;
  /** The rule that requires more people than the base. Null: no rule applies. */
  readonly rule: ApprovalRule | null;
}

/** Returns the strictest rule that applies to a batch with these totals. */
export function peopleNeeded(
  { base, rules }: ApprovalPolicy,
  sums: readonly CurrencySums[],
): PeopleNeeded {
  let needed: PeopleNeeded = { people: base, rule: null };
  for (const rule of rules) {
    if (rule.people > needed.people && sums.some((each) => doesRuleApply(rule, each))) {
      needed = { people: rule.people, rule };
    }
  }
  return needed;
}

function doesRuleApply({ currency, measure, above }: ApprovalRule, sums: CurrencySums): boolean {
  const amount = measure === "row" ? sums.largest : sums.total;
  if (currency !== null && currency !== amount.currency) return false;
  const limit = parseDecimal(above, amount.minorDigits);
  if (!limit) throw new Error(`a rule's amount is not a decimal: ${above}`);
  // A limit with more decimals than the currency is compared in the limit's finer unit.
  const scale = 10n ** BigInt(limit.minorDigits - amount.minorDigits);
  return amount.minor * scale > limit.minor;
}

/** Explains in a sentence why a batch needs this many people. */
export function whyPeopleNeeded({ people, rule }: PeopleNeeded): string {
  if (!rule) return people === 1 ? "one person is enough" : `every batch needs ${people} people`;
  const what = rule.measure === "row" ? "a payout" : "a total";
  const above = groupDigits(rule.above, rule.currency ?? "");
  return `${what} above ${above} ${rule.currency ?? "in any currency"} needs ${people} people`;
}
