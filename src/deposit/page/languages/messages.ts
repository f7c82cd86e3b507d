import type { ReferenceCurrency } from "#deposit/requirements.ts";

/**
 * All texts of the payment page in one language. Amounts are formatted: "INR 1,250.50". No text
 * contains a count that changes, so none needs plural forms.
 */
export interface Messages {
  /** The name of the language in the language itself. */
  readonly name: string;
  /** The label of the language menu. */
  readonly language: string;
  /** Says that the translation is machine-generated. Null: a native speaker has confirmed it. */
  readonly machineMade: string | null;
  /** Names the merchant who is paid. A name may end with a period, so the text has none. */
  readonly merchant: (name: string) => string;
  /** Shown wherever no real money moves. */
  readonly noMoney: Readonly<Record<"sandbox" | "simulated", string>>;
  readonly reference: string;
  readonly copy: (what: string) => string;
  readonly copyShort: string;
  readonly copied: (what: string) => string;

  readonly pay: {
    readonly title: (amount: string) => string;
    readonly exactly: string;
    /** Precedes the time. */
    readonly until: string;
    /** The script replaces {time} by minutes and seconds, such as 14:59. */
    readonly left: string;
    readonly noExpiry: string;
    readonly details: string;
    readonly waiting: string;
  };
  readonly upi: {
    readonly scan: string;
    readonly picture: (amount: string) => string;
    readonly open: string;
  };
  readonly matchCode: { readonly heading: string; readonly text: string };
  /** The labels of the values that the payer copies. */
  readonly labels: Readonly<Record<Label, string>>;

  readonly bank: {
    readonly title: string;
    readonly text: (amount: string) => string;
    readonly bank: string;
    readonly choose: string;
    readonly code: string;
    readonly account: string;
    readonly accountHint: string;
    readonly send: string;
  };
  readonly payerReference: {
    readonly link: string;
    readonly title: string;
    readonly text: string;
    readonly label: string;
    readonly hint: Readonly<Record<ReferenceCurrency, string>>;
    readonly send: string;
    readonly back: string;
    readonly taken: string;
  };
  readonly faults: {
    readonly title: string;
    readonly bank: string;
    readonly account: string;
    readonly reference: Readonly<Record<ReferenceCurrency, string>>;
    readonly form: string;
    readonly notTaken: string;
    readonly notSeen: string;
    readonly notNow: string;
  };

  readonly ends: Readonly<Record<PageEnd, { readonly title: string; readonly text: string }>>;
  readonly completed: {
    readonly title: string;
    readonly text: string;
    /** Only the gateway's report proves the amount. */
    readonly amount: (reported: string) => string;
    readonly differs: (asked: string, reported: string) => string;
  };
  readonly refreshes: string;
  readonly noPage: { readonly title: string; readonly text: string };
  readonly tooMany: { readonly title: string; readonly text: string };
  readonly broken: { readonly title: string; readonly text: string };
}

export type Label =
  | "amount"
  | "upiId"
  | "walletCode"
  | "walletNumber"
  | "walletNumberType"
  | "walletName"
  | "matchCode"
  | "bankName"
  | "accountNumber"
  | "accountName";

/** States in which the payer has nothing left to do, or nothing to do yet. */
export type PageEnd =
  | "preparing"
  | "checking"
  | "untold"
  | "late"
  | "expired"
  | "declined"
  | "byHand"
  | "closed";
