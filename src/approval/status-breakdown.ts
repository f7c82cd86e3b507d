import type { Money } from "#money/money.ts";
import type { PayoutState } from "#payout/payout-lifecycle.ts";

/** The parts of an amount by status. Each payout state counts in exactly one part. */
// biome-ignore format: the columns are the point
export const PART_OF_STATE = {
  awaiting_approval: "awaiting_approval",
  approved:          "unsent",
  held_back:         "held_back",
  submitting:        "in_progress",
  accepted:          "in_progress",
  in_doubt:          "in_doubt",
  settled:           "settled",
  declined:          "declined",
  on_hold:           "on_hold",
  returned:          "returned",
  cancelled:         "cancelled",
  resolved:          "resolved",
} as const satisfies Record<PayoutState, string>;

export type Part = (typeof PART_OF_STATE)[PayoutState];
export const PARTS = [...new Set(Object.values(PART_OF_STATE))] as [Part, ...Part[]];

export interface StatusBreakdown {
  readonly currency: string;
  readonly minorDigits: number;
  /**
   * The uploaded amount, which becomes the approved amount. It is recorded when the rows are
   * stored.
   */
  readonly approved: bigint;
  /** The totals of the payout states, counted now. */
  readonly parts: Readonly<Record<Part, { readonly count: number; readonly minor: bigint }>>;
  readonly isBalanced: boolean;
}

/**
 * Compares the approved amount with the sum of its parts, per currency (I3). The two sides come
 * from different tables, so equality is a real check.
 */
export function statusBreakdowns(
  approved: readonly Money[],
  counted: readonly { readonly state: PayoutState; readonly count: number; readonly sum: Money }[],
): StatusBreakdown[] {
  const units = new Map(
    [...approved, ...counted.map(({ sum }) => sum)].map(({ currency, minorDigits }) => [
      currency,
      minorDigits,
    ]),
  );
  return [...units].map(([currency, minorDigits]) => {
    const parts = Object.fromEntries(
      PARTS.map((part) => [part, { count: 0, minor: 0n }]),
    ) as Record<Part, { count: number; minor: bigint }>;
    for (const { state, count, sum } of counted) {
      if (sum.currency !== currency) continue;
      const part = parts[PART_OF_STATE[state]];
      part.count += count;
      part.minor += sum.minor;
    }
    const isMine = (money: Money) => money.currency === currency;
    const whole = approved.filter(isMine).reduce((sum, { minor }) => sum + minor, 0n);
    const found = PARTS.reduce((sum, part) => sum + parts[part].minor, 0n);
    return { currency, minorDigits, approved: whole, parts, isBalanced: whole === found };
  });
}
