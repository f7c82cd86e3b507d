import { formatMoney } from "#money/format.ts";
import { expectedClosing } from "#reconciliation/balance-movement.ts";
import type { ExactAmount } from "#reconciliation/records.ts";

/**
 * The movements of a day. `resolutions` and `adjustments` are positive if more money is in the
 * account; the others are positive.
 */
export const MOVEMENTS = [
  "deposits",
  "payouts",
  "fees",
  "returns",
  "resolutions",
  "adjustments",
] as const;
export type MovementName = (typeof MOVEMENTS)[number];

/** Sum of the amounts of one movement that have the same number of decimals. */
export interface MovementSum extends ExactAmount {
  readonly movement: MovementName;
  readonly count: number;
}

/** The figures of a day as decimal texts of one scale, in the order of the equation. */
export interface DayFigures {
  readonly digits: number;
  readonly opening: string;
  readonly movements: Readonly<Record<MovementName, Movement>>;
  /** Computed: what the balance must be if the ledger has every movement. */
  readonly closing: string;
}

interface Movement {
  readonly amount: string;
  readonly count: number;
}

/** Returns an amount as decimal text. */
export const decimal = ({ minor, minorDigits }: ExactAmount): string =>
  formatMoney({ minor, minorDigits, currency: "" });

/** Returns an amount in units of more decimals, or of as many. */
export const scaled = ({ minor, minorDigits }: ExactAmount, digits: number): bigint =>
  minor * 10n ** BigInt(digits - minorDigits);

/** Adds up the figures of a day, and its computed closing balance. */
export function figuresOf(
  opening: ExactAmount,
  sums: readonly MovementSum[],
): { readonly figures: DayFigures; readonly closing: ExactAmount } {
  const digits = Math.max(opening.minorDigits, ...sums.map(({ minorDigits }) => minorDigits));
  const text = (minor: bigint) => decimal({ minor, minorDigits: digits });
  const totalOf = (movement: MovementName) => {
    const same = sums.filter((each) => each.movement === movement);
    return {
      minor: same.reduce((sum, each) => sum + scaled(each, digits), 0n),
      count: same.reduce((sum, { count }) => sum + count, 0),
    };
  };
  const totals = {
    deposits: totalOf("deposits"),
    payouts: totalOf("payouts"),
    fees: totalOf("fees"),
    returns: totalOf("returns"),
    resolutions: totalOf("resolutions"),
    adjustments: totalOf("adjustments"),
  };
  const shown = ({ minor, count }: { minor: bigint; count: number }) => ({
    amount: text(minor),
    count,
  });
  const minor =
    expectedClosing({
      opening: scaled(opening, digits),
      deposits: totals.deposits.minor,
      payouts: totals.payouts.minor,
      fees: totals.fees.minor,
      returns: totals.returns.minor,
    }) +
    totals.resolutions.minor +
    totals.adjustments.minor;
  const figures = {
    digits,
    opening: text(scaled(opening, digits)),
    movements: {
      deposits: shown(totals.deposits),
      payouts: shown(totals.payouts),
      fees: shown(totals.fees),
      returns: shown(totals.returns),
      resolutions: shown(totals.resolutions),
      adjustments: shown(totals.adjustments),
    },
    closing: text(minor),
  };
  return { figures, closing: { minor, minorDigits: digits } };
}

/** Returns the observed balance less the computed one. */
export function differenceOf(observed: ExactAmount, closing: ExactAmount): ExactAmount {
  const digits = Math.max(observed.minorDigits, closing.minorDigits);
  return { minor: scaled(observed, digits) - scaled(closing, digits), minorDigits: digits };
}
