import type { ReferenceCurrency } from "./view.ts";

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

  readonly ends: Readonly<Record<End, { readonly title: string; readonly text: string }>>;
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
export type End =
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
    sandbox: "Sandbox: this is a test. Do not pay.",
    simulated: "Simulated gateway: this is a test. Do not pay.",
  },
  reference: "Reference",
  copy: (what) => `Copy: ${what}`,
  copyShort: "Copy",
  copied: (what) => `Copied: ${what}`,

  pay: {
    title: (amount) => `Pay ${amount}`,
    exactly: "Pay exactly this amount, once.",
    until: "Pay before",
    untilUnread: (at, timezone) => `${at} (${timezone})`,
    left: "left",
    noExpiry: "Pay now: these details are for this payment alone.",
    details: "Where to pay",
    waiting: "Waiting for your payment. This page says so when it has been received.",
  },
  upi: {
    scan: "Scan this code with a UPI app, or pay to the UPI id below.",
    picture: (amount) => `QR code for a UPI payment of ${amount}`,
    open: "Open a UPI app",
  },
  matchCode: {
    heading: "Write this code with the payment",
    text: "Put it into the message or note of your payment. Without it your payment may not be found.",
  },
  labels: {
    amount: "Amount",
    upiId: "UPI id",
    walletCode: "Wallet",
    walletNumber: "Wallet number",
    walletNumberType: "Kind of number",
    walletName: "Wallet name",
    matchCode: "Match code",
    bankName: "Bank",
    accountNumber: "Account number",
    accountName: "Account name",
  },

  bank: {
    title: "Which account do you pay from?",
    text: (amount) =>
      `You pay ${amount}. Say which bank account you pay from, then you are told where to pay.`,
    bank: "Your bank",
    choose: "Choose your bank",
    code: "Code of your bank",
    account: "Your account number",
    accountHint: "Digits, with or without hyphens",
    send: "Continue",
  },
  payerReference: {
    link: "You have paid? Give the reference of your payment",
    title: "The reference of your payment",
    text: "Your bank or wallet shows it when you have paid. By it your payment is found sooner.",
    label: "Reference",
    hint: {
      INR: "UTR, 12 digits",
      BDT: "Transaction ID: letters and digits",
    },
    send: "Send",
    back: "Back to the payment",
    taken: "Your reference was handed in. Your payment is being looked for by it.",
  },
  faults: {
    title: "Please look at this again",
    bank: "Choose your bank.",
    account: "The account number has 4 to 40 digits.",
    reference: {
      INR: "A UTR has 12 digits.",
      BDT: "A transaction ID has 6 to 32 letters and digits.",
    },
    form: "This page was open for too long, or the form was changed. Please send it once more.",
    notTaken: "This was not taken. Please look at what you gave, and send it once more.",
    notSeen: "No answer came to the account that you gave. Please give it once more.",
    notNow: "This cannot be taken at the moment. Please send it once more in a few minutes.",
  },

  ends: {
    preparing: {
      title: "One moment",
      text: "The details of your payment are being asked for. Please do not pay yet.",
    },
    checking: {
      title: "Being checked",
      text: "It is not known yet whether this payment can go on. Please do not pay, or pay again, before this page says how.",
    },
    untold: {
      title: "Where to pay is not known",
      text: "The payment service has not told where to pay. Please do not pay, and go back to the shop that sent you here.",
    },
    late: {
      title: "The time to pay is over",
      text: "Please do not pay to these details any more. If you have paid already, wait: your payment is still being looked for.",
    },
    expired: {
      title: "This payment has expired",
      text: "No payment was seen in time. Please do not pay to these details any more. If you have paid, give the reference below to the shop that sent you here.",
    },
    declined: {
      title: "This payment cannot go on",
      text: "It came to nothing. Please do not pay. If money has left your account, give the reference below to the shop that sent you here.",
    },
    byHand: {
      title: "A person has to look at this payment",
      text: "Please do not pay, or pay again. If you have questions, give the reference below to the shop that sent you here.",
    },
    closed: {
      title: "This payment is closed",
      text: "Please do not pay. If you have questions, give the reference below to the shop that sent you here.",
    },
  },
  completed: {
    title: "Payment received",
    text: "Your payment has arrived. You may close this page.",
    amount: (reported) => `The payment service reports ${reported}.`,
    differs: (asked, reported) =>
      `${asked} was asked for, and the payment service reports ${reported}.`,
  },
  refreshes: "This page looks again by itself.",
  noPage: {
    title: "This link does not lead to a payment",
    text: "It may be incomplete. Please open it again from where you got it.",
  },
  tooMany: {
    title: "Too many requests",
    text: "Please wait a minute, then load this page again.",
  },
  broken: {
    title: "This page could not be shown",
    text: "This is our fault, and it says nothing about your payment. Please load the page again in a minute.",
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
