import type { API } from "#api/api.ts";
import type { AnswerOf } from "#api/app/operation.ts";
import { counted, inLanguage } from "../../base/language.ts";
import type { FieldName } from "./search-params.ts";

type ActionName = AnswerOf<(typeof API)["GET /api/payouts/:code"]>["actions"][number]["action"];

// biome-ignore format: the columns are the point
const fields: Readonly<Record<FieldName, { readonly label: string; readonly hint?: string }>> = {
  name:           { label: "Beneficiary", hint: "beginning of a name" },
  amount:         { label: "Amount", hint: "1200 or 99.50" },
  currency:       { label: "Currency", hint: "INR" },
  code:           { label: "Transaction code", hint: "full code or prefix" },
  account:        { label: "Account number", hint: "full number" },
  account_last4:  { label: "Account ends with", hint: "last four characters" },
  user_id:        { label: "User ID", hint: "E-102, as in your file" },
  reference:      { label: "Reference" },
  gateway_number: { label: "Gateway number", hint: "full number or prefix" },
  bank:           { label: "Bank", hint: "bank code" },
  reason:         { label: "Reason", hint: "reason code" },
  batch:          { label: "Batch", hint: "batch ID" },
  line:           { label: "Line in the file", hint: "requires a batch" },
  lane:           { label: "Lane", hint: "MERCHANT/INR" },
  amount_from:    { label: "Minimum amount" },
  amount_to:      { label: "Maximum amount" },
  created_from:   { label: "Uploaded at or after" },
  created_to:     { label: "Uploaded before" },
  settled_from:   { label: "Settled at or after" },
  settled_to:     { label: "Settled before" },
  sent_from:      { label: "Sent at or after" },
  sent_to:        { label: "Sent before" },
  changed_from:   { label: "Changed at or after" },
  changed_to:     { label: "Changed before" },
};

const actionNames: Readonly<Record<ActionName, string>> = {
  query: "Query status",
  resolve: "Resolve manually",
  resend: "Send again",
  hold_back: "Hold back",
  release: "Release",
  cancel: "Cancel this row",
  replace: "Pay under a new transaction code",
};

const en = {
  list: {
    title: "Payouts",
    caption: "Payouts found",
    found: (count: number) => counted(count, "payout", "payouts"),
    retried: (payouts: number) =>
      `includes ${counted(payouts, "payout", "payouts")} that a retry replaced`,
    drafts: (payouts: number) => `${counted(payouts, "draft", "drafts")} not listed`,
    tooMany: (most: number) =>
      `More than ${most.toLocaleString()} payouts. Add a filter to see the totals.`,
    empty: "No payouts have been sent for approval yet.",
    emptyView: (view: string) => `No payouts in “${view}”.`,
    emptyFiltered: "No payouts match these filters.",
    emptySearch:
      "No payouts match. Check the spelling. You can enter at least three letters of a name, the beginning of a code or gateway number, or the last four digits of an account.",
    searchAccount: "Search for this account number",
  },

  views: {
    all: "All",
    inProgress: "In progress",
    inDoubt: "In doubt",
    onHold: "On hold",
    declined: "Declined",
    settled: "Settled",
    returned: "Returned",
  },

  columns: {
    code: "Transaction code",
    reason: "Reason",
    gatewayNumber: "Gateway number",
    fee: "Fee",
    reference: "Reference",
    sent: "Sent",
    settled: "Settled",
    action: "Actions",
  },

  menu: {
    label: (code: string) => `Actions for ${code}`,
    evidence: "Open evidence",
    copy: "Copy code",
    assign: "Assign to me",
    query: "Query status",
    queried: (code: string, state: string) => `${code} is ${state}.`,
  },

  filters: {
    fields,
    text: "Name, amount, code or number",
    state: "State",
    groups: {
      currency: "Currency",
      amount: "Amount",
      batch: "Batch",
      sent: "Sent",
      settled: "Settled",
      name: "Beneficiary",
      line: "Line in the file",
      code: "Transaction code",
      account: "Account number",
      account_last4: "Account ends with",
      user_id: "User ID",
      reference: "Reference",
      gateway_number: "Gateway number",
      bank: "Bank",
      reason: "Reason",
      lane: "Lane",
      created: "Uploaded",
      changed: "Changed",
    },
    retryResult: {
      label: "Retries",
      any: "any",
      none: "without those that a retry paid or replaced",
      paid: "paid by a retry",
    },
    more: "More filters",
    from: (time: string) => `from ${time}`,
    until: (time: string) => `before ${time}`,
    range: (from: string, to: string) => `${from} – ${to}`,
    apply: "Apply",
    accountIsSet: "account already entered; enter another to replace it",
    accountChip: "entered",
    accountNeedsPermission:
      "To search by full account number, you need permission to see these numbers. Anyone can search by the last four digits.",
  },

  payout: {
    title: (amount: string, beneficiary: string) => `${amount} to ${beneficiary}`,
    noBeneficiary: "an unnamed account",
    erased: "Erased",
    erasedHint: "The data of the beneficiary was erased and cannot be restored.",
    erasedBeneficiary: "an erased beneficiary",
    archived: "Archived",
    archivedIn: (file: string) =>
      `The details and the course of this payout are in the archive file ${file}. To read them: payrun archive show`,
    crumb: "Payouts",
    noRealMoney: "SANDBOX: No real money moved. This is not a proof of payment.",
    print: "Print",
    printReceipt: "Print receipt",
    evidence: "Evidence",
    comments: "Comments",
    question: "Has money moved?",
    paidByRetry: "Paid by a retry:",
    settledAt: "settled",
    resolvedAt: "resolved manually",
    openRetry: "Open the retry batch",
    openRetryPayout: "Open the declined retry",
    fixAndRetry: "Fix and retry",
    retry: "Retry",
    retryBy: (who: string) => `${who} can retry it.`,
    resolve: "Resolve manually",
    timeline: "History",
    related: (days: number) => `Other payouts to this account in the last ${days} days`,
    relatedCaption: "Other payouts to this account",
    facts: "Payout details",
    receipt: "Receipt",
    assignment: "Assignment",
    chain: "Retries",
    chainLabel: "Payouts for this row, oldest first",
    thisPayout: "This payout",
  },

  facts: {
    amount: "Amount",
    code: "Transaction code",
    gatewayNumber: "Gateway number",
    noGatewayNumber: "none",
    payer: "Payer",
    account: "Merchant account",
    bank: (name: string, code: string) => `${name} (${code})`,
    sent: "Sent",
    settled: "Settled",
    technical: "Technical details",
    batchId: "Batch ID",
    fee: "Gateway fee",
    earlierFee: (fee: string) => `(reported before: ${fee})`,
    unreadableFee: (fee: string) => `(the last report cannot be read: ${fee})`,
    reference: "Reference",
    batch: "Batch",
    file: "Source",
    line: (line: number) => `line ${line}`,
    lane: "Lane",
    payoutCode: "Payout code",
    callbackAddress: "Callback URL",
    hideAccount: "Hide account",
    showAccount: "Show full account",
    showSentence:
      "payrun will show only this account number, until you leave the page. The audit log will record your access and your reason.",
    showVerb: "Show account number",
  },

  actions: {
    names: actionNames,
    title: "Actions",
    unavailable: "Not available.",
    notOnHold: "The payout is no longer on hold.",
    note: "Note",
    addNote: "Add note",
  },

  resolution: {
    findings: {
      arrived: "The money arrived",
      not_arrived: "The money did not arrive and will not arrive",
    },
    found: (arrived: boolean) =>
      arrived ? "the money arrived." : "the money did not arrive and will not arrive.",
    noLongerNeeded: "This payout no longer needs a decision.",
  },

  endWait: {
    title: "Stop waiting",
    condition:
      "Propose this only if the gateway confirms that it is not processing an earlier request. payrun will query the status again before it sends the payout under the same transaction code.",
    reason: "Evidence that no earlier request can still be in progress",
    propose: "Propose ending the wait",
    proposedByYou: "You proposed ending the wait",
    proposedBy: (name: string) => `${name} proposed ending the wait`,
    confirm: "Confirm and end the wait",
    reject: "Reject",
    needsApprover: "Another user with the approver role must confirm the proposal.",
  },
};

export const messages = inLanguage({ en });
