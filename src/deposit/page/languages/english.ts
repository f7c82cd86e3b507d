import type { Messages } from "./messages.ts";

/** The original texts, from which all other languages are translated. */
export const ENGLISH: Messages = {
  name: "English",
  language: "Language",
  machineMade: null,
  merchant: (name) => `You are paying ${name}`,
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
