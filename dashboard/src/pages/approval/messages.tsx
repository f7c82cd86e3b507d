import type { ReactNode } from "react";
import { counted, inLanguage } from "../../base/language.ts";

const payoutsText = (payouts: number) => counted(payouts, "payout", "payouts");
const rowsText = (rows: number) => counted(rows, "row", "rows");
const approvalsText = (approvals: number) => counted(approvals, "approval", "approvals");
const capitalised = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

const en = {
  list: {
    title: "Approvals",
    filter: "Batches shown",
    mine: (batches: number) => `For you (${batches.toLocaleString()})`,
    all: (batches: number) => `All (${batches.toLocaleString()})`,
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
    missing: (missing: number) => `${missing} more needed`,
    given: (given: number) => `, ${given} given`,
    yours: ", including yours",
    blocked: (reason: string) => `Nobody can approve this batch. ${reason}`,
  },

  sheet: {
    loading: "Approval",
    question: (batch: string) => `Approve ${batch}?`,
    title: (batch: string) => `Approval of ${batch}`,
    changed: "The batch has changed since you opened it",
    reviewAgain: "Review again",
    anomalies: "Anomalies",
    searching: "Searching all rows. The results will appear here.",
    approvers: "Approvers",
    blocked: "Nobody can approve this batch",
    frozen:
      "Before you approve, make sure that this batch does not repeat any payouts already sent.",
    missedCutOff: (cutOff: string) => `${cutOff} The money may arrive one working day later.`,
    totals: "Totals",
    payouts: payoutsText,
    uploadedBy: (name: ReactNode, time: ReactNode, sent: string | null) => (
      <>
        Uploaded by <strong>{name}</strong>, {time}. {sent}
      </>
    ),
    sentAfterApproval: "The batch will be sent immediately after approval unless you schedule it.",
    purpose: (purpose: ReactNode) => <>Purpose: {purpose}</>,
    excluded: (rows: number) =>
      `${counted(rows, "row with problems is", "rows with problems are")} excluded from the batch.`,
    priority: (priority: string) => `Priority: ${priority}`,
    openBatch: "Open batch",
    onePerson:
      "On the command line, one person alone can pay this batch. On the dashboard, an approver who did not upload the batch must approve it.",
    people: (why: string, approvers: number) =>
      `${capitalised(why)}: the uploader and ${counted(approvers, "approver", "approvers")} who did not upload the batch.`,
    oneMore: " The batch exceeds a payout limit, so it needs one more approver.",
    able: (names: readonly string[]) => ` These people can approve the batch: ${names.join(", ")}.`,
  },

  decision: {
    title: "Your decision",
    notWaiting: "The batch is not awaiting approval.",
    notRecorded: "Approval not recorded",
    form: "Approve this batch",
    enterTotals:
      "Enter each total from your own records. payrun approves the batch only if the amounts match exactly.",
    totalIn: (currency: string) => `Total in ${currency}`,
    recorded: (missing: number) =>
      `You approved this batch. It still needs ${counted(missing, "more approval", "more approvals")}.`,
    approvePartly: (payouts: number, missing: number) =>
      `Approve ${payoutsText(payouts)}; ${approvalsText(missing)} still needed`,
    approveAndSend: (payouts: number) => `Approve and send ${payoutsText(payouts)}`,
    approveAndSendLate: (payouts: number) => `Approve and send ${payoutsText(payouts)} immediately`,
    approveAndSchedule: (payouts: number) => `Approve and schedule ${payoutsText(payouts)}`,
    sendBack: "Send back",
    sendBackTitle: "Send this batch back",
    sendBackText: (amounts: string, uploader: string) =>
      `payrun will not send ${amounts}. ${uploader} will see your reason and can correct the batch and send it for approval again.`,
    ask: "Ask a question",
    askText:
      "Your question will appear in the batch history. The batch will still be awaiting approval.",
    askVerb: "Ask question",
    asked: "Your question is now in the batch history.",
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

  sendTime: {
    title: "Send time",
    immediately: "Immediately",
    schedule: "Schedule",
    passed: (time: string) =>
      `The scheduled time, ${time}, has passed. payrun will send the batch immediately after approval.`,
    date: "Date",
    time: "Time",
    zone: "Time zone",
    invalid:
      "This is not a valid time. Enter a date, a time, and a time zone such as Asia/Kolkata or UTC.",
    isPast: "This time has passed. Choose a later one.",
    planned: (time: string) =>
      `payrun will check the rows again at ${time} and then send the batch. Until then, it can be rescheduled or cancelled.`,
  },

  duplicates: {
    searching:
      "payrun is searching for exact duplicates. A batch with exact duplicates cannot be approved without a reason.",
    open: "Exact duplicates of payouts in another batch",
    explained: "Exact duplicates, reason given",
    look: (batch: string) => `Open ${batch}`,
    needed:
      "The batch cannot be approved yet. One person must give a reason for the duplicates, and another person must then approve the batch.",
    giveReason: "Give a reason",
    giveReasonText: (payouts: number) =>
      `${counted(payouts, "payout in this batch is an exact duplicate", "payouts in this batch are exact duplicates")} of payouts in another batch. Your reason will be recorded in the audit log, and another person must approve the batch.`,
    allow: "Allow duplicates",
    changed: "The rows in this batch have changed.",
  },

  anomalies: {
    none: (checks: number) => `${checks} checks found no anomalies.`,
    cut: (check: string) =>
      `This check compared only the largest rows and the most recent payouts: ${check}.`,
    checks: (checks: number, time: ReactNode) => (
      <>
        {checks} checks, run {time}
      </>
    ),
    asNumbers: "A spreadsheet stored these values as numbers:",
    columnIn: (column: string, rows: number) => `${column} in ${rowsText(rows)}`,
    zerosLost: "Leading zeros may have been lost.",
    seeRows: "View the rows",
    seeFile: "View how the file was read",
    farTotal: (currency: string, times: string | null) =>
      `${currency}: the total is ${times} times the usual total.`,
    farTotalText: (amount: string, usual: string, batches: number) =>
      batches === 1
        ? `This batch: ${amount}. Previous batch: ${usual}.`
        : `This batch: ${amount}. Median of the last ${batches.toLocaleString()} batches: ${usual}.`,
    overlap: (percent: number) => `${percent}% of these payouts are also in another batch.`,
    overlapText: (rows: number, amounts: string) =>
      `${rowsText(rows)}, ${amounts}, to the same accounts:`,
    noTotal: (currency: string) =>
      `${currency}: there is no earlier batch to compare the total with.`,
    usualTotal: (currency: string, times: string | null, usual: string) =>
      `${currency}: the total is ${times} times the usual ${usual}.`,
    toName: (name: ReactNode) => <>to {name} </>,
    oneDigit: (place: number) => `differs at character ${place}`,
    fromFile: "From the file",
    reference: "Compared with",
    alsoIn: "Also in",
    lineOf: (batch: string, line: number) => `${batch}, line ${line}`,
  },

  rows: {
    shown: (rows: number) => ` · showing the ${rows} largest`,
    beneficiary: "Beneficiary",
    line: "Line",
    amount: "Amount",
  },

  comparison: {
    title: "Comparison with the previous batch",
    comparing: "Comparing…",
    none: "No earlier batch from the same uploader pays the same accounts.",
    payouts: payoutsText,
    notBefore: (amount: string) => `${amount}, no payouts in the previous batch`,
    total: (amount: string, before: string, times: string | null) =>
      `${amount}, previously ${before} (× ${times})`,
    before: "Previous",
  },

  limits: {
    title: "Payout limits and balances",
    checking: "Checking…",
    none: "The batch is within the payout limits.",
    hard: "The batch exceeds a payout limit and cannot be approved",
    soft: "The batch exceeds a payout limit: one more approver needed",
    short: "The balance does not cover this batch",
    unknown: "The balance is unknown",
    refused: "The batch cannot be approved now.",
    caption: "Balances and reservations",
    lane: "Lane",
    needed: "This batch",
    free: "Available",
    reserved: "Reserved for other payouts",
    balance: "Balance",
    asOf: "As of",
    notKnown: "unknown",
  },

  sent: {
    title: "Data sent to the gateway",
    lane: (lane: string, merchant: string, payoutCode: ReactNode, callback: string) => (
      <>
        {lane}: merchant {merchant}, payout code {payoutCode}, {callback}
      </>
    ),
    unknown: "unknown",
    noCallback: "no callback URL",
    callback: (address: string) => `callbacks to ${address}`,
    allRows: "All rows and the fields sent to the gateway",
    caption: "Rows and the fields sent to the gateway",
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
