import { unitOf } from "#money/currency.ts";
import { formatMoney } from "#money/format.ts";
import { type Money, readDecimal } from "#money/money.ts";

/** What a limit counts, in days of approval, and what people do when it is passed. */
// biome-ignore format: the columns are the point
export const LIMIT_SCOPES = {
  row:              { days: 0, what: "one payout",                       remedy: "Correct the amounts, or leave these rows out." },
  batch:            { days: 0, what: "all payouts of the batch",         remedy: "Leave rows out." },
  day:              { days: 1, what: "everything approved that day",     remedy: "Wait for another day." },
  beneficiary_day:  { days: 1, what: "one account that day",             remedy: "Leave these rows out, or wait for another day." },
  beneficiary_week: { days: 7, what: "one account within seven days",    remedy: "Leave these rows out, or wait." },
  uploader_day:     { days: 1, what: "what one uploader brings that day", remedy: "Wait for another day." },
} as const satisfies Record<string, { days: number; what: string; remedy: string }>;

export type LimitScope = keyof typeof LIMIT_SCOPES;
export const LIMIT_SCOPE_NAMES = Object.keys(LIMIT_SCOPES) as [LimitScope, ...LimitScope[]];

export interface MoneyLimit {
  readonly scope: LimitScope;
  readonly currency: string;
  /** Exact decimal text: what may be reached, and not passed. */
  readonly amount: string;
  /** True: nobody can approve what passes it. False: it takes one more person. */
  readonly hard: boolean;
}

/** What a batch would bring one sum to: of a payout, an account, a day. */
export interface Sum {
  /** Counted before, without this batch. */
  readonly before: bigint;
  /** What this batch adds. */
  readonly own: bigint;
  /** The line of the file that it is about; null: the batch as a whole. */
  readonly line: number | null;
}

/** Limits on the same thing, and the sums that are held against them, all in the same unit. */
export interface Measured {
  readonly scope: LimitScope;
  readonly currency: string;
  readonly minorDigits: number;
  readonly limits: readonly MoneyLimit[];
  readonly sums: readonly Sum[];
}

/** A limit that a batch would pass. */
export interface Breach {
  readonly limit: MoneyLimit;
  readonly allowed: Money;
  /** The largest sum above it, with what was counted before. */
  readonly found: Money;
  readonly before: Money;
  readonly over: Money;
  /** Some of the lines that are about it, the largest first. */
  readonly lines: readonly number[];
}

/** Enough for every amount that a limit can be written in, and for the unit of the currency. */
const FINEST = 8;
const limitDigits = (currency: string): number => unitOf(currency)?.minorDigits ?? FINEST;

/** Limits by what they count, each group in the unit that holds all of its amounts. */
export function groupLimits(limits: readonly MoneyLimit[]): readonly Omit<Measured, "sums">[] {
  const groups = Map.groupBy(limits, ({ scope, currency }) => `${scope} ${currency}`);
  return [...groups.values()].flatMap((same) => {
    const [first] = same;
    if (!first) return [];
    const { scope, currency } = first;
    const digits = same.map(({ amount }) => read(amount, limitDigits(currency)).minorDigits);
    return { scope, currency, minorDigits: Math.max(...digits), limits: same };
  });
}

/** The amount of a limit in this unit, which holds it. */
export function allowedBy({ amount }: MoneyLimit, minorDigits: number): bigint {
  const limit = read(amount, minorDigits);
  if (limit.minorDigits > minorDigits) throw new Error(`${amount} needs a finer unit`);
  return limit.minor;
}

function read(amount: string, minorDigits: number): Omit<Money, "currency"> {
  const money = readDecimal(amount, minorDigits);
  if (!money) throw new Error(`a limit's amount is no decimal: ${amount}`);
  return money;
}

/** Every limit that is passed, the hard ones first. What comes to exactly the limit does not pass it. */
export function breachesOf(measured: readonly Measured[]): readonly Breach[] {
  const breaches = measured.flatMap(({ currency, minorDigits, limits, sums }) => {
    const money = (minor: bigint): Money => ({ currency, minor, minorDigits });
    const largestFirst = sums.toSorted((a, b) => (totalOf(b) > totalOf(a) ? 1 : -1));
    return limits.flatMap((limit): Breach[] => {
      const allowed = allowedBy(limit, minorDigits);
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

export const isRefused = (breaches: readonly Breach[]): boolean =>
  breaches.some(({ limit }) => limit.hard);

/** How many people more than otherwise: any number of soft limits takes one. */
export const extraPeople = (breaches: readonly Breach[]): 0 | 1 =>
  breaches.some(({ limit }) => !limit.hard) ? 1 : 0;

/** What, where, allowed, found. */
export function sayBreach({ limit, allowed, found, before, over, lines }: Breach): string {
  const { currency, scope, hard } = limit;
  const where =
    lines.length === 0 ? "" : ` (${lines.length === 1 ? "line" : "lines"} ${lines.join(", ")})`;
  const counted = before.minor > 0n ? `, ${formatMoney(before)} of it approved before` : "";
  return `${currency} limit of ${LIMIT_SCOPES[scope].what}${where}: ${formatMoney(allowed)} allowed, ${formatMoney(found)} found${counted}; ${formatMoney(over)} too much (${hard ? "hard" : "soft"} limit).`;
}

export const sayRemedy = ({ limit: { scope, hard } }: Breach): string =>
  hard
    ? `${LIMIT_SCOPES[scope].remedy} Or an admin raises the limit.`
    : "One more person than otherwise approves it.";

export interface PastLimits {
  readonly kind: "limit_reached";
  readonly breaches: readonly Breach[];
  /** Why its money is not known to be there, where that is asked for. */
  readonly uncovered: readonly string[];
}

/** Thrown out of an approval, so that nothing of it stays. */
export class LimitsRefused extends Error {
  readonly refusal: PastLimits;

  constructor(breaches: readonly Breach[], uncovered: readonly string[] = []) {
    super("the batch would pass a limit, or is not covered");
    this.refusal = { kind: "limit_reached", breaches, uncovered };
  }
}
