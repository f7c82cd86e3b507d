import type { ReactNode } from "react";
import { counted, inLanguage } from "../../base/language.ts";
import { inPercent } from "../../base/text.ts";

const payoutsText = (payouts: number) => counted(payouts, "payout", "payouts");
const rowsText = (rows: number) => counted(rows, "row", "rows");
const findingsText = (findings: number) => counted(findings, "finding", "findings");
const approvalsText = (approvals: number) => counted(approvals, "approval", "approvals");
const capitalised = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

const en = {
  list: {
    title: "Approvals",
    found: (batches: number) => counted(batches, "batch", "batches"),
    noMatch: "No batches match these filters.",
    text: "Name, purpose, file or batch ID",
    anyone: "Anyone",
    currency: "Currency",
    currencyHint: "INR",
    mine: "Awaiting your approval",
    all: "All awaiting approval",
    captionMine: "Batches awaiting your approval",
    captionAll: "Batches awaiting approval",
    emptyMine: "No batches are awaiting your approval.",
    emptyAll: "No batches are awaiting approval.",
    batch: "Batch",
    total: "Total",
    payouts: "Payouts",
    uploadedBy: "Uploaded by",
    you: "you",
    uploadedAt: "Uploaded",
    needs: "Approvals",
    findings: "Findings",
    attention: (findings: number) => counted(findings, "needs attention", "need attention"),
    noFindings: "None need attention",
    searching: "Searching…",
    review: "Review",
    missing: (missing: number) => `${missing} more needed`,
    given: (given: number) => `, ${given} given`,
    yours: ", including yours",
    blocked: (reason: string) => `Nobody can approve this batch. ${reason}`,
    duplicates: "An uploader must give a reason for its exact duplicates.",
  },
  sheet: {
    loading: "Approval",
    question: (batch: string) => `Approve ${batch}?`,
    title: (batch: string) => `Approval of ${batch}`,
    changed: "The batch has changed since you opened it",
    reviewAgain: "Review again",
    searching: "Searching all rows. The results will appear here.",
    frozen:
      "Before you approve, make sure that this batch does not repeat any payouts already sent.",
    missedCutOff: (cutOff: string) => `${cutOff} The money may arrive one working day later.`,
    uploadedBy: (name: ReactNode, time: ReactNode) => (
      <>
        Uploaded by <strong>{name}</strong>, {time}
      </>
    ),
    sentAfterApproval: "Sent immediately after approval, or at a time that an approver sets.",
    purpose: (purpose: ReactNode) => <>Purpose: {purpose}</>,
    priority: (priority: string) => `Priority: ${priority}`,
    openBatch: "Open batch",
    file: "How the file was read",
    fileName: "Source",
    amounts: "Amount format",
    amountFormat: (format: string, isConfirmed: boolean) =>
      isConfirmed ? `${format}, confirmed by the uploader` : format,
    columns: "Columns",
    column: (name: string, column: string) => `${name} → ${column}`,
    corrections: "Corrections",
    corrected: rowsText,
    excludedRows: "Excluded rows",
    excluded: (excluded: number, rows: number) =>
      `${excluded.toLocaleString()} of ${rows.toLocaleString()}`,
    digest: "Content digest",
  },

  verdict: {
    searching: "Searching for anomalies",
    headline: (findings: number, decide: number, check: number, info: number) =>
      findings === 0
        ? "No findings"
        : decide + check === 0
          ? `${findingsText(findings)}, for your information only`
          : `${findingsText(findings)}: ${[
              ...(decide > 0 ? [counted(decide, "needs attention", "need attention")] : []),
              ...(check > 0 ? [`${check.toLocaleString()} to check`] : []),
              ...(info > 0 ? [`${info.toLocaleString()} for information`] : []),
            ].join(", ")}`,
    summary: (payouts: number, currencies: number) =>
      `${payoutsText(payouts)} in ${counted(currencies, "currency", "currencies")}. Checked`,
    folded: (findings: number) => `${findingsText(findings)} for information`,
    passed: (checks: number) => `${counted(checks, "check", "checks")} passed`,
    checked: "Checked",
    checkedFinding: (finding: string) => `Checked: ${finding}`,
    severity: {
      decide: "Needs attention",
      check: "To check",
      info: "For your information",
    },
  },

  steps: {
    title: "Approvers",
    uploaded: "Uploaded",
    approved: "Approved",
    validUntil: "Valid until",
    invalid: (reason: string | null) =>
      `Not valid: ${reason ?? "the approval expired, or the batch or approver changed"}`,
    missing: (missing: number) => `${approvalsText(missing)} needed`,
    able: (names: readonly string[]) => `These people can approve the batch: ${names.join(", ")}.`,
    blocked: "Nobody can approve this batch",
    onePerson:
      "On the command line, a single person can pay this batch. On the dashboard, an approver who did not upload the batch must approve it.",
    people: (why: string, approvers: number) =>
      `${capitalised(why)}: the uploader and ${counted(approvers, "approver", "approvers")} who did not upload the batch.`,
    oneMore: "The batch exceeds a payout limit, so it needs one more approver.",
  },

  totals: {
    title: "Totals",
    caption: "Totals by currency",
    comparedWith: "Compared with",
    noPrevious: "No earlier batch from this uploader pays the same accounts",
    currency: "Currency",
    payouts: "Payouts",
    total: "Total",
    previous: "Last batch to the same accounts",
    changed: "Change",
    change: (isLess: boolean, percent: string) => `${isLess ? "−" : "+"}${inPercent(percent)}`,
    left: "Available afterwards",
    leftAsOf: (time: string) => `balance of ${time}`,
    unknown: "unknown",
    limits: "Limits",
    within: "Within limits",
    exceeded: "Limit exceeded",
    hard: "The batch exceeds a payout limit and cannot be approved",
    soft: "The batch exceeds a payout limit: one more approver needed",
    short: "The balance does not cover this batch",
    balanceUnknown: "The balance is unknown",
    refused: "The batch cannot be approved at the moment.",
  },

  funds: {
    title: "Balances and reservations",
    lane: "Lane",
    needed: "This batch",
    free: "Available",
    reserved: "Reserved for other payouts",
    settledSince: "Settled recently",
    balance: "Balance reported",
    asOf: "Reported at",
    notKnown: "Not known",
  },

  decision: {
    title: "Your decision",
    notRecorded: "Approval not recorded",
    form: "Approve this batch",
    sheet: (name: string, by: string) => `Approve ${name} from ${by}`,
    approve: "Approve…",
    prepare: "Enter totals…",
    close: "Close",
    payouts: payoutsText,
    differs: "This total differs from the total of the batch. The batch was not approved.",
    enterTotals:
      "Enter each total from your own records. payrun approves the batch only if the amounts match exactly.",
    totalIn: (currency: string) => `Total in ${currency}`,
    recorded: (missing: number) =>
      `You approved this batch. It still needs ${counted(missing, "more approval", "more approvals")}.`,
    findingsLeft: (count: number) => `Check ${findingsText(count)}`,
    approvePartly: (payouts: number, missing: number) =>
      `Approve ${payoutsText(payouts)}; ${approvalsText(missing)} still needed`,
    approveAndSend: (payouts: number) => `Approve and send ${payoutsText(payouts)}`,
    approveAndSendLate: (payouts: number) => `Approve and send ${payoutsText(payouts)} immediately`,
    approveAndSchedule: (payouts: number) => `Approve and schedule ${payoutsText(payouts)}`,
    /** "approve and send 5 payouts (inr.csv)". */
    confirms: (verb: string, batch: string) =>
      `${verb.slice(0, 1).toLowerCase()}${verb.slice(1)} (${batch})`,
    sendBack: "Send back",
    sendBackTitle: "Send this batch back",
    sendBackText: (payouts: number, uploader: string) =>
      `payrun will not send ${payoutsText(payouts)}. ${uploader} will see your reason and can correct the batch and send it for approval again.`,
    withdraw: "Withdraw my approval",
  },

  outcome: {
    approvedBy: "Approved by ",
    and: " and ",
    reason: (reason: string) => ` “${reason}”`,
  },

  approvals: {
    caption: "Approvals",
    empty: "Nobody has approved this batch.",
    approver: "Approver",
    approvedAt: "Approved",
    valid: "Valid",
    until: (time: ReactNode) => <>until {time}</>,
    invalid: (reason: string | null) =>
      `no: ${reason ?? "the approval expired, or the batch or approver changed"}`,
  },

  duplicates: {
    searching:
      "payrun is searching for exact duplicates. A batch with exact duplicates cannot be approved until someone gives a reason for the duplicates.",
    open: "Blocked: exact duplicates of payouts in another batch",
    explained: "Exact duplicates, reason given",
    look: (batch: string) => `Open ${batch}`,
    needed: (uploader: ReactNode) => (
      <>
        {uploader}, or another uploader, must give a reason on this page before the batch can be
        approved. The uploader sees this on Home. If the duplicates are a mistake, send the batch
        back.
      </>
    ),
    neededFromYou:
      "Give a reason if the payouts are intended; another person must then approve the batch. Otherwise, withdraw the batch from approval.",
    giveReason: "Give a reason",
    giveReasonText: (payouts: number) =>
      `${counted(payouts, "payout in this batch is an exact duplicate of a payout", "payouts in this batch are exact duplicates of payouts")} in another batch. Your reason will be recorded in the audit log, and another person must approve the batch.`,
    allow: "Allow duplicates",
    changed: "The rows in this batch have changed.",
  },

  anomalies: {
    finding: capitalised,
    findingText: (payouts: number, amounts: string) => `${payoutsText(payouts)} · ${amounts}`,
    rows: rowsText,
    cut: (check: string) =>
      `This check compared only the most recent payouts and the rows with the largest amounts: ${check}.`,
    asNumbers: "A spreadsheet stored these values as numbers:",
    columnIn: (column: string, rows: number) => `${column} in ${rowsText(rows)}`,
    zerosLost: "Leading zeros may have been lost.",
    seeRows: "View the rows",
    seeFile: "View how the file was read",
    farTotal: (currency: string, share: string, batches: number) =>
      `${currency}: the total is ${share} ${batches === 1 ? `that of the last batch in ${currency}` : "the usual total"}.`,
    farTotals: (count: number) => `The totals in ${count} currencies are unusual.`,
    currencies: (count: number) => counted(count, "currency", "currencies"),
    farTotalText: (amount: string, usual: string, batches: number) =>
      batches === 1
        ? `This batch: ${amount}. The last batch: ${usual}.`
        : `This batch: ${amount}. Median of the last ${batches.toLocaleString()} batches: ${usual}.`,
    overlap: (percent: number) =>
      `${inPercent(String(percent))} of these payouts are also in another batch.`,
    overlapText: (rows: number, amounts: string) =>
      `${rowsText(rows)}, ${amounts}, to the same accounts:`,
    noTotal: (currency: string) =>
      `${currency}: there is no earlier batch to compare the total with.`,
    usualTotal: (currency: string, share: string, usual: string) =>
      `${currency}: the total is ${share} the usual ${usual}.`,
    toName: (name: ReactNode) => <>to {name} </>,
    oneDigit: (place: number) => `differs at character ${place}`,
    fromFile: "From the file",
    changed: (isBank: boolean, payouts: number) =>
      `${isBank ? "Bank details" : "Other details"} changed: ${payoutsText(payouts)}`,
    beforeAndAfter: "Before and after",
    warnings: "Warning",
    reference: "Compared with",
    alsoIn: "Also in",
    lineOf: (batch: string, line: number) => `${batch}, line ${line}`,
  },

  rows: {
    currencies: (count: number) => counted(count, "currency", "currencies"),
    shown: (rows: number) => `The ${rows} rows with the largest amounts are shown.`,
    beneficiary: "Beneficiary",
    line: "Line",
    amount: "Amount",
  },

  comparison: {
    before: "Previous",
  },

  sent: {
    title: "Data sent to the gateway",
    lane: (lane: ReactNode, merchant: string, payoutCode: ReactNode, callback: string) => (
      <>
        {lane}: merchant {merchant}, payout code {payoutCode}, {callback}
      </>
    ),
    unknown: "unknown",
    noCallback: "no callback URL",
    callback: (address: string) => `callbacks to ${address}`,
    allRows: "All rows with the fields sent to the gateway",
    caption: "Rows with the fields sent to the gateway",
    loading: "Loading…",
    line: "Line",
    code: "Transaction code",
    amount: "Amount",
    payoutCode: "Payout code",
    callbackAddress: "Callback URL",
    bank: "Bank",
    bankName: "Name",
  },
};

export const messages = inLanguage({ en });
