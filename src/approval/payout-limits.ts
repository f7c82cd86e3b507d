import { unitOf } from "#money/currency.ts";
import { groupedAmount } from "#money/format.ts";
import { type Money, parseDecimal } from "#money/money.ts";

/**
 * The scopes of a payout limit, counted in days of approval, each with what to do if it is
 * exceeded.
 */
// biome-ignore format: the columns are the point
export const LIMIT_SCOPES = {
  row:              { days: 0, what: "one payout",                       remedy: "Correct the amounts, or leave these rows out." },
  batch:            { days: 0, what: "all payouts of one batch",         remedy: "Leave some rows out." },
  day:              { days: 1, what: "all payouts approved in one day",     remedy: "Wait until another day." },
  beneficiary_day:  { days: 1, what: "one account in one day",             remedy: "Leave these rows out, or wait until another day." },
  beneficiary_week: { days: 7, what: "one account in seven days",    remedy: "Leave these rows out, or wait." },
  uploader_day:     { days: 1, what: "the uploads of one person in one day", remedy: "Wait until another day." },
} as const satisfies Record<string, { days: number; what: string; remedy: string }>;

export type LimitScope = keyof typeof LIMIT_SCOPES;
export const LIMIT_SCOPE_NAMES = Object.keys(LIMIT_SCOPES) as [LimitScope, ...LimitScope[]];

export interface PayoutLimit {
  readonly scope: LimitScope;
  readonly currency: string;
  /** Exact decimal text. The amount may be reached but not exceeded. */
  readonly amount: string;
  /**
   * True: nobody can approve a batch that exceeds it. False: exceeding it requires one more
   * approver.
   */
  readonly hard: boolean;
}

/** A sum to compare with a limit, including the batch: of one payout, one account or one day. */
export interface Sum {
  /** The amount counted before this batch. */
  readonly before: bigint;
  /** The amount that this batch adds. */
  readonly own: bigint;
  /** The line of the file to which the sum belongs. Null: the batch as a whole. */
  readonly line: number | null;
}

/** Limits on the same thing and the sums to compare with them, all in the same unit. */
export interface MeasuredLimits {
  readonly scope: LimitScope;
  readonly currency: string;
  readonly minorDigits: number;
  readonly limits: readonly PayoutLimit[];
  readonly sums: readonly Sum[];
}

/** A limit that a batch would exceed. */
export interface LimitBreach {
  readonly limit: PayoutLimit;
  readonly allowed: Money;
  /** The largest sum above the limit, together with the amount counted before. */
  readonly found: Money;
  readonly before: Money;
  readonly over: Money;
  /** Some of the lines that contribute, with the largest amount first. */
  readonly lines: readonly number[];
}

/**
 * Enough decimal digits for every amount in which a limit can be written, and for every currency
 * unit.
 */
const FINEST = 8;
const limitDigits = (currency: string): number => unitOf(currency)?.minorDigits ?? FINEST;

/** Groups limits by what they count, each group in a unit that can express all its amounts. */
export function groupLimits(
  limits: readonly PayoutLimit[],
): readonly Omit<MeasuredLimits, "sums">[] {
  const groups = Map.groupBy(limits, ({ scope, currency }) => `${scope} ${currency}`);
  return [...groups.values()].flatMap((same) => {
    const [first] = same;
    if (!first) return [];
    const { scope, currency } = first;
    const digits = same.map(({ amount }) => read(amount, limitDigits(currency)).minorDigits);
    return { scope, currency, minorDigits: Math.max(...digits), limits: same };
  });
}

/** Returns the amount of a limit in this unit, which can express it. */
export function allowedAmount({ amount }: PayoutLimit, minorDigits: number): bigint {
  const limit = read(amount, minorDigits);
  if (limit.minorDigits > minorDigits) throw new Error(`${amount} needs a finer unit`);
  return limit.minor;
}

function read(amount: string, minorDigits: number): Omit<Money, "currency"> {
  const money = parseDecimal(amount, minorDigits);
  if (!money) throw new Error(`a limit's amount is not a decimal: ${amount}`);
  return money;
}

/**
 * Returns every limit that is exceeded, with hard limits first. A sum equal to the limit does not
 * exceed it.
 */
export function findLimitBreaches(measured: readonly MeasuredLimits[]): readonly LimitBreach[] {
  const breaches = measured.flatMap(({ currency, minorDigits, limits, sums }) => {
    const money = (minor: bigint): Money => ({ currency, minor, minorDigits });
    const largestFirst = sums.toSorted((a, b) => (totalOf(b) > totalOf(a) ? 1 : -1));
    return limits.flatMap((limit): LimitBreach[] => {
      const allowed = allowedAmount(limit, minorDigits);
      const above = largestFirst.filter((sum) => totalOf(sum) > allowed);
      const [largest] = above;
      if (!largest) return [];
      return [
        {
          limit,
          allowed: money(allowed),
          found: money(totalOf(largest)),
          before: money(largest.before),
          over: money(totalOf(largest) - allowed),
          lines: above.flatMap(({ line }) => line ?? []),
        },
      ];
    });
  });
  return breaches.toSorted((a, b) => Number(b.limit.hard) - Number(a.limit.hard));
}

const totalOf = ({ before, own }: Sum): bigint => before + own;

/** Returns whether a hard limit is exceeded. */
export const isHardLimitExceeded = (breaches: readonly LimitBreach[]): boolean =>
  breaches.some(({ limit }) => limit.hard);

/** Number of additional approvers: any number of exceeded soft limits requires one. */
export const extraApprovers = (breaches: readonly LimitBreach[]): 0 | 1 =>
  breaches.some(({ limit }) => !limit.hard) ? 1 : 0;

/** Describes a breach: the limit, its scope, the allowed amount and the sum found. */
export function describeLimitBreach({
  limit,
  allowed,
  found,
  before,
  over,
  lines,
}: LimitBreach): string {
  const { currency, scope, hard } = limit;
  const where =
    lines.length === 0 ? "" : ` (${lines.length === 1 ? "line" : "lines"} ${lines.join(", ")})`;
  const counted =
    before.minor > 0n ? `, of which ${groupedAmount(before)} was already approved` : "";
  return `${currency} limit for ${LIMIT_SCOPES[scope].what}${where}: ${groupedAmount(allowed)} allowed, ${groupedAmount(found)} found${counted}; exceeded by ${groupedAmount(over)} (${hard ? "hard" : "soft"} limit).`;
}

/** Describes what to do about an exceeded limit. */
export const describeLimitRemedy = ({ limit: { scope, hard } }: LimitBreach): string =>
  hard
    ? `${LIMIT_SCOPES[scope].remedy} Alternatively, ask an admin to raise the limit.`
    : "The batch needs one more approver.";

export interface LimitsExceeded {
  readonly kind: "limit_reached";
  readonly breaches: readonly LimitBreach[];
  /**
   * Reasons why the balance is not known to be sufficient, if the installation requires that it is.
   */
  readonly uncovered: readonly string[];
}

/** Thrown inside an approval to roll it back completely. */
export class LimitsRefused extends Error {
  readonly refusal: LimitsExceeded;

  constructor(breaches: readonly LimitBreach[], uncovered: readonly string[] = []) {
    super("the batch exceeds a payout limit, or the balance does not cover it");
    this.refusal = { kind: "limit_reached", breaches, uncovered };
  }
}
