/** The movements of one account on one business day, in minor units of one scale. */
export interface DayMovements {
  readonly opening: bigint;
  readonly deposits: bigint;
  /** Completed payouts of the day. */
  readonly payouts: bigint;
  readonly fees: bigint;
  /** Payouts of any day that came back on this day. */
  readonly returns: bigint;
}

/** The movements of a day, and the balance at its end. */
export interface AccountMovements extends DayMovements {
  readonly closing: bigint;
}

/** Returns the balance at the end of a day that its movements explain. */
export const expectedClosing = ({
  opening,
  deposits,
  payouts,
  fees,
  returns,
}: DayMovements): bigint => opening + deposits - payouts - fees + returns;

/**
 * Returns the part of the change of the balance that the movements do not explain; 0n if they
 * explain the change. It is positive if more money is in the account than expected.
 */
export const unexplainedMovement = (movements: AccountMovements): bigint =>
  movements.closing - expectedClosing(movements);
