import type { ReactNode } from "react";
import { counted, inLanguage } from "../../base/language.ts";

const en = {
  title: "Daily close",
  reconciliation: "Reconciliation",
  explained:
    "Close each business day once its figures agree: opening balance + deposits − payouts − fees = closing balance of the statement.",

  overview: {
    title: "Next steps",
    caption: "A lane is one merchant account in one currency. Its days are closed in order.",
    lane: "Lane",
    day: "Next day to close",
    state: "State",
    action: "Action",
    open: "Set opening balance",
    noOpening: "Not started: the first day needs an opening balance",
    empty: "There are no lanes yet.",
  },
  steps: {
    notOver: "The day is not over yet",
    noStatement: "Waiting for the statement of the day",
    upload: "Upload statement",
    breaks: (count: number) => `${counted(count, "break", "breaks")} to review`,
    review: "Review",
    blocked: "Cannot be closed",
    ready: "Ready to close",
    close: "Close",
  },
  lane: "Lane",
  month: "Month",
  zone: (zone: string) => `Time zone ${zone}`,

  states: { open: "Open", closed: "Closed", broken: "Closed with breaks", reopened: "Reopened" },
  breaks: (count: number) => counted(count, "unresolved break", "unresolved breaks"),

  openDay: "View figures",
  today: "Today, not over yet",
  next: {
    title: (date: string) => `Next day to close: ${date}`,
    stepStates: { done: "done", todo: "to do", warning: "needs attention" },
    statementStep: "1. Statement",
    breaksStep: "2. Breaks",
    balanceStep: "3. Closing balance",
    breaksLater: "The statement shows whether payouts differ from the ledger.",
    uploadAgain: "Upload another one",
    replacement: (file: ReactNode, by: ReactNode, at: ReactNode) => (
      <>
        {by} uploaded {file} {at} to replace it. Until an approver confirms that file, the earlier
        statement counts.
      </>
    ),
    openReplacement: "Open the file that waits",
    computed: (amount: string) => `${amount}, computed by payrun.`,
    notObserved: "No statement has a closing balance to compare with.",
    agrees: "The statement shows the same balance.",
    differs: (observed: string, difference: string) =>
      `The statement shows ${observed}. Difference: ${difference}.`,
    statement: (id: string) => `Statement ${id} has been uploaded for this day.`,
    noStatement:
      "No statement has been uploaded for this day. You can close the day without one; its balance is then not observed.",
    upload: "Upload the statement",
    breaks: (count: number) =>
      count === 0
        ? "No unresolved breaks."
        : `${counted(count, "unresolved break", "unresolved breaks")}: differences between the ledger and the statement. You can close the day with unresolved breaks; they are recorded with it.`,
    review: "Review the breaks",
    notYet: "The day cannot be closed yet",
    endsAt: (time: string, zone: string) => `It ends on ${time}, ${zone}. Close it then.`,
    close: "Close this day",
    open: "View figures",
  },

  opening: {
    title: (lane: string) => `Opening balance of ${lane}`,
    explained:
      "The first business day of a lane needs an opening balance. You cannot change it later.",
    close: "Close",
    day: "First day",
    balance: "Opening balance",
    balanceHint: "Leave empty to use the balance in this day's statement",
    reason: "Reason",
    reasonHint: "Where the balance comes from, such as a bank statement",
    save: "Set opening balance",
    confirmTitle: "Set the opening balance",
    confirm: (lane: string, day: string, balance: string | null) =>
      `${balance === null ? "The opening balance in the statement" : `The opening balance ${balance}`} becomes the balance of ${lane} at the start of ${day}. You cannot change the balance or the first day later; only an adjustment can correct it.`,
    done: (day: string) => `Opening balance set. The next day to close is ${day}.`,
  },

  day: {
    title: (date: string) => date,
    missing: "This day is before the first day of the lane, or the version does not exist.",
    statementAndBreaks: "Statement and breaks",
    figures: "Figures",
    previewed: "Preview: the figures if you close the day now",
    noFigures:
      "Close the previous day first. Its closing balance is the opening balance of this day.",
    figure: "Figure",
    amount: "Amount",
    count: "Count",
    openingBalance: "Opening balance",
    movements: {
      deposits: "Settled deposits",
      payouts: "Settled payouts",
      fees: "Fees",
      returns: "Returns",
      resolutions: "Manual resolutions",
      adjustments: "Adjustments",
    },
    closing: "Closing balance, computed",
    observed: "Closing balance, observed",
    notObserved: "Not observed",
    observedFrom: (statement: string) => `from statement ${statement}`,
    /** The list behind the payouts is by time of settlement. */
    countedElsewhere: (out: number, into: number) =>
      [
        ...(out > 0
          ? [
              `${counted(out, "payout", "payouts")} in the list ${out === 1 ? "counts" : "count"} on another day`,
            ]
          : []),
        ...(into > 0
          ? [
              `${counted(into, "payout", "payouts")} settled on another day and ${into === 1 ? "counts" : "count"} here`,
            ]
          : []),
      ].join("; "),
    difference: "Difference",
    openBreaks: "Unresolved breaks",
    openPayouts: "Payouts in progress or on hold",
    withoutFee: "Payouts without a readable fee",
    returnedSince: "Payouts returned later",
    items: "Deposits, returns and manual resolutions",
    firstItems: (shown: number, total: number) =>
      `The first ${shown} of ${total}. The report contains all.`,
    itemsNow: "As recorded now",
    reopenedAt: "This version was reopened at",
    itemKinds: { deposits: "Deposit", returns: "Return", resolutions: "Manual resolution" },
    kind: "Kind",
    code: "Transaction code",
    at: "Time",
    versions: "Versions",
    version: "Version",
    versionNumber: (version: number) => `Version ${version}`,
    result: "Result",
    closedBy: "Closed by",
    closedAt: "Closed at",
    digest: "Digest",
    reopened: "Reopened",
    document: "Document",
    latest: "Show the newest version",
    print: "Print",
    old: (version: number) => `This is version ${version}, not the newest one.`,
  },

  actions: {
    title: "Close",
    titleOfClosed: "Adjust or reopen",
    close: "Close day",
    closeLater: "The reason is under “Statement and breaks”.",
    closeHint: "Any later change to the figures reopens the day.",
    adjustment: "Adjustment",
    reopening: "Reopening",
    amount: "Adjustment amount",
    amountHint: "Added to the computed closing balance; may be negative",
    reason: "Reason",
    reopenReason: "Reason for reopening",
    propose: "Propose adjustment",
    reopen: "Propose reopening",
    proposedBy: (name: string) => `${name} proposes:`,
    agreedBy: (proposer: string, approver: string) => `${proposer} proposed, ${approver} confirmed`,
    agreedAlone: (name: string) =>
      `${name} proposed and confirmed it, because there were no approvers`,
  },
};

export const messages = inLanguage({ en });
