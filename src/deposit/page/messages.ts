import type { ReferenceCurrency } from "#deposit/requirements.ts";

/** All texts of the payment page in one language. Amounts are formatted: "INR 1,250.50". */
export interface Messages {
  /** Shown wherever no real money moves. */
  readonly noMoney: Readonly<Record<"sandbox" | "simulated", string>>;
  readonly reference: string;
  readonly copy: (what: string) => string;
  readonly copyShort: string;
  readonly copied: (what: string) => string;

  readonly pay: {
    readonly title: (amount: string) => string;
    readonly exactly: string;
    readonly until: string;
    readonly untilUnread: (at: string, timezone: string) => string;
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

const ENGLISH: Messages = {
  noMoney: {
    sandbox: "Sandbox: this is a test. Please do not pay.",
    simulated: "Simulated gateway: this is a test. Please do not pay.",
  },
  reference: "Reference",
  copy: (what) => `Copy: ${what}`,
  copyShort: "Copy",
  copied: (what) => `Copied: ${what}`,

  pay: {
    title: (amount) => `Pay ${amount}`,
    exactly: "Please pay exactly this amount, and only once.",
    until: "Pay before",
    untilUnread: (at, timezone) => `${at} (${timezone})`,
    left: "{time} left",
    noExpiry: "Please pay now. These details are valid for this payment only.",
    details: "Payment details",
    waiting: "Waiting for your payment. This page will confirm when it has been received.",
  },
  upi: {
    scan: "Scan this code with a UPI app, or pay to the UPI ID below.",
    picture: (amount) => `QR code for a UPI payment of ${amount}`,
    open: "Open a UPI app",
  },
  matchCode: {
    heading: "Add this code to your payment",
    text: "Enter this code in the message or note field when you pay. Without the code, your payment may not be found.",
  },
  labels: {
    amount: "Amount",
    upiId: "UPI ID",
    walletCode: "Wallet",
    walletNumber: "Wallet number",
    walletNumberType: "Wallet number type",
    walletName: "Wallet name",
    matchCode: "Match code",
    bankName: "Bank",
    accountNumber: "Account number",
    accountName: "Account name",
  },

  bank: {
    title: "Which account will you pay from?",
    text: (amount) =>
      `You are paying ${amount}. Enter the bank account you will pay from. You will then see the payment details.`,
    bank: "Your bank",
    choose: "Choose your bank",
    code: "Your bank code",
    account: "Your account number",
    accountHint: "Digits, with or without hyphens",
    send: "Continue",
  },
  payerReference: {
    link: "Already paid? Enter your payment reference",
    title: "Your payment reference",
    text: "Your bank or wallet shows this reference after you pay. The reference helps us find your payment sooner.",
    label: "Reference",
    hint: {
      INR: "UTR, 12 digits",
      BDT: "Transaction ID: letters and digits",
    },
    send: "Send",
    back: "Back to payment",
    taken: "Thank you. We have received your reference and are using it to find your payment.",
  },
  faults: {
    title: "Please check the following",
    bank: "Enter your bank.",
    account: "Enter an account number with 4 to 40 digits.",
    reference: {
      INR: "Enter the 12-digit UTR.",
      BDT: "Enter a transaction ID with 6 to 32 letters and digits.",
    },
    form: "This page was open for too long, or the form was changed. Please send the form again.",
    notTaken: "Your entry was not accepted. Please check it and send it again.",
    notSeen: "We could not confirm your account details. Please enter them again.",
    notNow: "We cannot accept your entry at the moment. Please send it again in a few minutes.",
  },

  ends: {
    preparing: {
      title: "One moment, please",
      text: "The payment details are being prepared. Please do not pay yet.",
    },
    checking: {
      title: "This payment is being checked",
      text: "We do not yet know whether this payment can continue. Please do not make a payment until this page shows the payment details. If you have already paid, do not pay again.",
    },
    untold: {
      title: "Payment details are not available",
      text: "The payment service has not provided the payment details. Please do not pay. Return to the shop that sent you here.",
    },
    late: {
      title: "The payment deadline has passed",
      text: "Please do not pay now. If you have already paid, please wait: we are still looking for your payment.",
    },
    expired: {
      title: "This payment has expired",
      text: "No payment was found in time. Please do not pay now. If you have already paid, give the reference below to the shop that sent you here.",
    },
    declined: {
      title: "This payment cannot continue",
      text: "Please do not pay. If money has left your account, give the reference below to the shop that sent you here.",
    },
    byHand: {
      title: "This payment needs a manual check",
      text: "Please do not make a payment. If you have already paid, do not pay again. If you have questions, give the reference below to the shop that sent you here.",
    },
    closed: {
      title: "This payment is closed",
      text: "Please do not pay. If you have questions, give the reference below to the shop that sent you here.",
    },
  },
  completed: {
    title: "Payment received",
    text: "Your payment has arrived. You can close this page.",
    amount: (reported) => `The payment service reports an amount of ${reported}.`,
    differs: (asked, reported) =>
      `The requested amount was ${asked}, but the payment service reports ${reported}.`,
  },
  refreshes: "This page updates automatically.",
  noPage: {
    title: "This link is not valid",
    text: "It may be incomplete. Please open it again from the message or page where you received it.",
  },
  tooMany: {
    title: "Too many requests",
    text: "Please wait a minute, then reload this page.",
  },
  broken: {
    title: "This page could not be displayed",
    text: "This is an error on our side and does not reflect the status of your payment. Please reload the page in a minute.",
  },
};

/**
 * The available languages. A language is added as one complete line: the compiler reports missing
 * texts.
 */
export const CATALOGUE = { en: ENGLISH } as const satisfies Readonly<Record<string, Messages>>;

export type Language = keyof typeof CATALOGUE;

const isLanguage = (tag: string): tag is Language => Object.hasOwn(CATALOGUE, tag);

/**
 * Returns the first language of the browser's list (RFC 9110, Accept-Language) that is in the
 * catalogue; otherwise English.
 */
export function languageOf(accepted: string | undefined): Language {
  const wishes = (accepted ?? "")
    .slice(0, 500)
    .split(",")
    .map((wish) => {
      const [tag = "", ...rest] = wish.trim().toLowerCase().split(";");
      const weight = /^q=(\d(?:\.\d{1,3})?)$/.exec(rest.join("").trim())?.[1];
      return { tag: tag.split("-")[0] ?? "", weight: Number(weight ?? 1) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight);
  return wishes.map(({ tag }) => tag).find(isLanguage) ?? "en";
}
