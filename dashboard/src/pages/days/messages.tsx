import type { ReactNode } from "react";
import { counted, inLanguage } from "../../base/language.ts";

const en = {
  title: "Daily close",
  reconciliation: "Reconciliation",
  explained:
    "Close each business day once its figures agree: opening balance + deposits − payouts − fees = closing balance of the statement.",

  overview: {
    title: "Next steps",
    otherLanes: "Other lanes",
    caption: "The first day of a lane needs an opening balance. Its days are closed in order.",
    lane: "Lane",
    day: "Next day to close",
    state: "State",
    action: "Action",
    open: "Set opening balance",
    noOpening: "Not started",
    notStarted: (count: number) => `${counted(count, "lane is", "lanes are")} not started`,
    empty: "There are no lanes yet.",
  },
  steps: {
    notOver: "The day is not over yet",
    noStatement: "Waiting for the statement of the day",
    upload: "Upload statement",
    breaks: (count: number) => `${counted(count, "break", "breaks")} to review`,
    review: (count: number) => `Review ${counted(count, "break", "breaks")}`,
    unfinished: "A statement is not compared or waits for an approver",
    openStatements: "Open statements",
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
    statementStep: "Statement",
    breaksStep: "Breaks: differences from the ledger",
    balanceStep: "Closing balance",
    breaksLater: "Known after the statement is compared",
    uploadAgain: "Replace",
    replacement: (file: ReactNode, by: ReactNode, at: ReactNode) => (
      <>
        {by} uploaded {file} {at} to replace it. Until an approver confirms that file, the earlier
        statement counts.
      </>
    ),
    openReplacement: "Open the file that waits",
    notObserved: (computed: string) => `${computed}, computed; not on a statement`,
    agrees: (amount: string) => `${amount}, as on the statement`,
    differs: (computed: string, observed: string, difference: string) =>
      `${computed} computed, ${observed} on the statement. Difference: ${difference}.`,
    noStatement: "Not uploaded",
    breaks: (count: number) =>
      count === 0 ? "None unresolved" : `${count.toLocaleString()} unresolved`,
    notYet: "The day cannot be closed yet",
    endsAt: (time: string, zone: string) => `It ends on ${time}, ${zone}. Close it then.`,
    replacementBlocks: "A replacement of its statement waits for an approver.",
    open: "View figures",
  },

  opening: {
    title: (lane: string) => `Opening balance of ${lane}`,
    explained:
      "The first business day of a lane needs an opening balance. You cannot change it later.",
    close: "Close",
    day: "First day",
    balance: "Opening balance",
    ofStatement: (balance: string, file: string) =>
      `Opening balance: ${balance}, from the statement ${file}.`,
    otherBalance: "Another opening balance",
    otherBalanceHint: "Only if the statement is wrong",
    balanceHint: "Leave empty to use the balance in this day's statement",
    reason: "Reason",
    reasonHint: "Where the balance comes from, such as a bank statement",
    save: "Set opening balance",
    confirmTitle: "Set the opening balance",
    confirm: (lane: string, day: string, balance: string | null) =>
      `${balance === null ? "The opening balance in the statement" : `The opening balance ${balance}`} becomes the balance of ${lane} at the start of ${day}. You cannot change the balance or the first day later; only an adjustment can correct it.`,
    done: (day: string) => `Opening balance set. The next day to close is ${day}.`,
  },

  missingDay: {
    notStarted: (lane: string, mayOpen: boolean) =>
      `${lane} has no opening balance yet, so its days cannot be closed. ${mayOpen ? "Enter the balance with which its first day begins, then upload the gateway's statement of each day." : "An operator sets it."}`,
    before: (lane: string, first: string) => `The first business day of ${lane} is ${first}.`,
    unknown: "There is no such day or version.",
    calendar: "Open calendar",
  },

  day: {
    title: (date: string) => date,
    figures: "Figures",
    previewed: "Preview: the figures if you close the day now",
    noFigures:
      "Close the previous day first. Its closing balance is the opening balance of this day.",
    figure: "Figure",
    amount: "Amount",
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
    returnedSince: "Payouts since returned",
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
    closedByAt: (by: ReactNode, at: ReactNode) => (
      <span>
        Closed by {by}, {at}
      </span>
    ),
    closedAt: "Closed at",
    digest: "Digest",
    reopened: "Reopened",
    document: "Document",
    latest: "Show the newest version",
    print: "Print",
    old: (version: number) => `This is version ${version}, not the newest one.`,
  },

  actions: {
    title: "Close the day",
    titleOfClosed: "Adjust or reopen",
    close: (breaks: number, hasStatement: boolean) =>
      breaks > 0
        ? `Close day with ${counted(breaks, "break", "breaks")}`
        : hasStatement
          ? "Close day"
          : "Close day without a statement",
    closed: (day: string, verdict: string) => `${day}: ${verdict}`,
    closeHint: (breaks: number, hasStatement: boolean) =>
      [
        breaks > 0
          ? "Closing records the unresolved breaks with the day."
          : hasStatement
            ? ""
            : "Without a statement, its balance is not observed.",
        "A later change to the figures reopens the day.",
      ]
        .join(" ")
        .trim(),
    confirm: {
      title: (day: string) => `Close ${day}`,
      sentence: "The close records these figures. payrun computes them again when you confirm.",
    },
    adjust: "Propose an adjustment",
    askToReopen: "Reopen the day",
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
