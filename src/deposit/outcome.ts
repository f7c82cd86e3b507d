import type { Unaccepted } from "#payout/outcome.ts";

/**
 * What one request about a deposit came to (specification, Deposit response). As with payouts there is no "failed":
 * what is not on the list of answers is doubt, and a deposit in doubt is looked up, never asked for under another code.
 */
export type DepositOutcome = Unaccepted | DepositAccepted | AwaitingBank;

/** The gateway waits for the payer's money. Nothing is paid yet. */
export interface DepositAccepted {
  readonly kind: "accepted";
  /** The gateway's own number (`DP…`). */
  readonly gatewayNumber: string | null;
  /** What the payer is to pay, as the exact decimal text of the answer. It may differ from what was asked for. */
  readonly amount: string;
  readonly destination: Destination;
  /** Null: the answer named none. */
  readonly expiry: Expiry | null;
}

/** Step 1 of a KRW deposit is done: the payer must say which account they pay from. */
export interface AwaitingBank {
  readonly kind: "awaiting_bank";
  readonly amount: string;
  /** Empty when the gateway's list could not be read: its shape is not documented. */
  readonly banks: readonly DepositBank[];
}

export interface DepositBank {
  readonly code: string;
  readonly name: string;
}

/** Where the payer pays to. All texts are the gateway's. */
export type Destination =
  | {
      readonly kind: "upi";
      readonly upiId: string;
      /** Address of an image at the gateway; null when it is no web address. */
      readonly qrUrl: string | null;
    }
  | {
      readonly kind: "wallet";
      readonly walletNumber: string;
      readonly walletNumberType: string | null;
      readonly walletName: string;
      readonly walletCode: string;
    }
  /** The payer must write the code beside the payment, or it is not found. */
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
  /** As the gateway wrote them: `YYYY-MM-DD HH:MM:SS` and a label such as `GMT+05:30`. */
  readonly at: string;
  readonly timezone: string;
  /** Epoch milliseconds; null when the label says no offset that can be read. */
  readonly atMs: number | null;
}

/** What came of handing in the payer's reference. */
export type ReferenceOutcome = Unaccepted | { readonly kind: "taken" };
