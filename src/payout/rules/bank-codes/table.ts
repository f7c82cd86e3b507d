/** Code, name, and the second name if the provider gives one (short, or in the local script). */
export type Bank = readonly [code: string, name: string, otherName?: string];

/**
 * The bank codes of one currency. As far as is known, the gateway treats codes as case-sensitive.
 */
export interface BankTable {
  /** The column bank_name contains something else than the name of the bank. */
  readonly namesNoBank?: true;
  /** Codes that a payout may use. One code may denote several banks. */
  readonly payout: readonly Bank[];
  /** Payout codes that the provider listed as under maintenance. */
  readonly maintenance?: readonly Bank[];
  /**
   * Codes for deposits only. They are invalid for payouts, but people copy them from the wrong
   * list.
   */
  readonly depositOnly?: readonly Bank[];
  /** Codes of an older list, kept to suggest what a user of that list may have meant. */
  readonly formerly?: readonly Bank[];
}
