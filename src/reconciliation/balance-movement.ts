/** The movements of one account on one business day, in minor units of one scale. */
export interface AccountMovements {
  readonly opening: bigint;
  readonly closing: bigint;
  readonly deposits: bigint;
  /** Completed payouts of the day. */
  readonly payouts: bigint;
  readonly fees: bigint;
  /** Payouts of any day that came back on this day. */
  readonly returns: bigint;
}

/**
 * Returns the part of the change of the balance that the movements do not explain; 0n if they
 * explain the change. It is positive if more money is in the account than expected.
 */
export const unexplainedMovement = ({
  opening,
  closing,
  deposits,
  payouts,
  fees,
  returns,
}: AccountMovements): bigint => closing - (opening + deposits - payouts - fees + returns);
