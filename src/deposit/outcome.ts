import type { NotAcceptedOutcome } from "#payout/outcome.ts";

/**
 * The result of one request about a deposit (specification, Deposit response). As for payouts,
 * there is no "failed": an answer that is not on the list means doubt, and the status of a deposit
 * in doubt is queried. It is never requested under another code.
 */
export type DepositOutcome = NotAcceptedOutcome | DepositAccepted | AwaitingBank;

/** The gateway waits for the payer's money. No money has been paid yet. */
export interface DepositAccepted {
  readonly kind: "accepted";
  /** The gateway's own number (`DP…`). */
  readonly gatewayNumber: string | null;
  /**
   * The amount that the payer is to pay, as the exact decimal text of the answer. It may differ
   * from the requested amount.
   */
  readonly amount: string;
  readonly destination: Destination;
  /** Null: the answer contained none. */
  readonly expiry: Expiry | null;
}

/** Step 1 of a KRW deposit is done: the payer must state the account from which they pay. */
export interface AwaitingBank {
  readonly kind: "awaiting_bank";
  readonly amount: string;
  /** Empty if the gateway's list could not be read: its format is not documented. */
  readonly banks: readonly DepositBank[];
}

export interface DepositBank {
  readonly code: string;
  readonly name: string;
}

/** The payment instructions. All texts are the gateway's. */
export type Destination =
  | {
      readonly kind: "upi";
      readonly upiId: string;
      /** URL of an image at the gateway. Null: not a web URL. */
      readonly qrUrl: string | null;
    }
  | {
      readonly kind: "wallet";
      readonly walletNumber: string;
      readonly walletNumberType: string | null;
      readonly walletName: string;
      readonly walletCode: string;
    }
  /** The payer must add the code to the payment, otherwise the gateway does not find it. */
  | {
      readonly kind: "match_code";
      readonly walletNumber: string;
      readonly walletName: string;
      readonly walletCode: string;
      readonly matchCode: string;
    }
  | { readonly kind: "bank"; readonly accountNumber: string; readonly accountName: string }
  /** After step 2 of a KRW deposit. */
  | {
      readonly kind: "krw_account";
      readonly bankName: string;
      readonly accountName: string;
      readonly accountNumber: string;
    };

export interface Expiry {
  /** The texts of the gateway: `YYYY-MM-DD HH:MM:SS` and a label such as `GMT+05:30`. */
  readonly at: string;
  readonly timezone: string;
  /** Epoch milliseconds. Null: the label contains no readable offset. */
  readonly atMs: number | null;
}

/** The result of sending the payer's reference. */
export type ReferenceOutcome = NotAcceptedOutcome | { readonly kind: "taken" };
