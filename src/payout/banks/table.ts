/** Code, name, and where the provider gives one a second name (short, or in the local script). */
export type Bank = readonly [code: string, name: string, otherName?: string];

/** The bank codes of one currency. Codes are case-sensitive at the gateway as far as can be seen. */
export interface BankTable {
  /** Codes that a payout may name. A code may stand for several banks. */
  readonly payout: readonly Bank[];
  /** Payout codes that the provider listed as under maintenance. */
  readonly maintenance?: readonly Bank[];
  /** Codes for deposits alone: no payout takes them, but people copy them from the wrong list. */
  readonly depositOnly?: readonly Bank[];
  /** Codes of an older list, kept to say what somebody who still uses it may have meant. */
  readonly formerly?: readonly Bank[];
}
