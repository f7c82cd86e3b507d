import type { DepositDetailField } from "#deposit/deposit.ts";
import { inLanguage } from "../../base/language.ts";

interface FieldText {
  readonly label: string;
  readonly hint?: string;
}

/** The fields of the form that requests a deposit. */
export type RequestField = DepositDetailField | "payment_code" | "reference";

// biome-ignore format: the columns are the point
const requestFields: Readonly<Record<RequestField, FieldText>> = {
  user_id:      { label: "User", hint: "Your ID for the payer." },
  reference:    { label: "Reference", hint: "Your own identifier, such as an order number. It is not sent to the gateway." },
  deposit_name: { label: "Payer's name" },
  phone:        { label: "Phone", hint: "11 digits, without the country code." },
  identity_id:  { label: "Identity number" },
  bank_code:    { label: "Bank code", hint: "Some payment methods require it." },
  payment_code: { label: "Payment method", hint: "The gateway's code, such as P1001. Empty: the method of the merchant account." },
};

// biome-ignore format: the columns are the point
const detailNames: Readonly<Record<string, string>> = {
  user_id:      "User",
  deposit_name: "Payer",
  identity_id:  "Identity number",
  phone:        "Phone",
  bank_code:    "Bank code",
};

// biome-ignore format: the columns are the point
const destinationNames: Readonly<Record<string, string>> = {
  upi_id:             "UPI ID",
  wallet_code:        "Wallet",
  wallet_number:      "Wallet number",
  wallet_number_type: "Wallet number type",
  wallet_name:        "Wallet name",
  match_code:         "Match code",
  bank_name:          "Bank",
  account_number:     "Account number",
  account_name:       "Account name",
};

const en = {
  deposit: {
    crumb: "Deposits",
    title: (amount: string) => `Deposit of ${amount}`,
    question: "Has the money arrived?",
    timeline: "History",
    facts: "Deposit",
    payLink: "Payment link",
    paymentDetails: "Payment details",
    actions: "Actions",
  },

  query: {
    button: "Query status",
    byOperators: "Operators can query the status.",
    available: "A status query is always safe. payrun records only conclusive results.",
    unavailable:
      "Not available while a request is in progress. payrun is waiting for the response.",
  },

  facts: {
    amount: "Requested amount",
    payable: "Amount payable",
    reported: "Reported amount",
    noneProven: "none confirmed",
    code: "Transaction code",
    gatewayNumber: "Gateway number",
    noGatewayNumber: "none",
    reference: "Reference",
    lane: "Lane",
    details: detailNames,
    payer: "Payer",
    erased: "Erased",
    payerAccount: "Payer's account",
    expires: "Expires",
    requestedBy: "Requested by",
    requestedAt: "Requested at",
  },

  paymentPage: {
    linkHidden: "The link is available only to the payer and to users who may request deposits.",
    noDestination: "The gateway has not provided payment details.",
    erased: "The data of the payer was erased and cannot be restored.",
    linkWarning: "Give this link only to the payer. Anyone who has the link can act as the payer.",
    copy: "Copy link",
    copied: "Payment link copied",
    open: "Open payment page",
    destination: destinationNames,
  },

  fromPayer: {
    sendAccount: "Send account details",
    bank: "Payer's bank",
    chooseBank: "Choose a bank",
    bankCode: "Payer's bank code",
    account: "Payer's account number",
    accountHint:
      "The account from which the payer will pay. Enter digits, with or without hyphens.",
    sendReference: "Send reference",
    reference: "Payment reference",
    referenceHint:
      "The reference from the payer's bank or wallet, such as a UTR. It helps the gateway find the payment faster.",
  },

  resolution: {
    byOperators: "If the bank or gateway support confirms the result, an operator can record it.",
    findings: { received: "Money arrived", not_received: "No money arrived" },
    found: (amount: string | null) =>
      amount === null ? "no money arrived." : `${amount} arrived.`,
    amount: (currency: string) => `Amount received (${currency})`,
    noLongerNeeded: "This deposit no longer needs a decision.",
  },

  request: {
    title: "Request a deposit",
    deposits: "Deposits",
    uploadersDo: "request deposits",
    lookAtList: "View deposits",
    details: "Deposit details",
    button: "Request deposit",
    currency: "Currency",
    amount: "Amount",
    amountHint: "1200 or 99.50",
    chooseMethod: "Choose a payment method or bank",
    fields: requestFields,
  },
};

export const messages = inLanguage({ en });
