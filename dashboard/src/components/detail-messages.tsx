import type { ReactNode } from "react";
import { counted, inLanguage } from "../base/language.ts";

const payouts = (count: number) => counted(count, "payout", "payouts");

/** Texts of components that the first page does not load. */
const en = {
  breaker: { name: "Circuit breaker", protects: "Protects", resumes: "Resumes" },

  chart: { time: "Time", figures: "Show figures as a table" },

  resolution: {
    proposedByYou: "You propose",
    proposedBy: (name: string) => `${name} proposes`,
    proposalChanged: "The proposal has changed since you opened it",
    confirmRead: "I have read it",
    confirm: "Confirm and resolve",
    reject: "Reject",
    needsApprover: "Another person who is an approver must confirm the result.",
    propose: "Propose result",
    proposeInstead: "Propose this result instead",
    result: "Result",
    resultHint: "Use the bank statement or a written answer from the gateway's support.",
    evidence: "Evidence",
  },

  frozen: {
    title: "The ledger is frozen: no payout is sent",
    detail: (reason: string) =>
      `${reason}. The ledger may have lost records of files and of payouts that were sent.`,
  },

  payouts: {
    line: "Line",
    lineOf: (line: number) => `line ${line}`,
    beneficiary: "Beneficiary",
    account: "Account",
    amount: "Amount",
    code: "Code",
    state: "State",
    batch: "Batch",
    lastChange: "Last change",
    noAnswer: "no readable answer",
    notFound: (times: number) => `not found at the gateway, ${times}×`,
    unclear: (times: number) => `inconclusive answer, ${times}×`,
    attempts: (answer: string, attempts: number) => `${answer}; ${attempts} attempts`,
  },

  priority: {
    labels: {
      urgent: "urgent: before all others",
      normal: "normal: in turn with others",
      low: "low: after all others",
    },
    title: "Priority",
    button: (priority: string) => `Change priority (${priority})`,
    sentence:
      "The priority decides which batch is sent first when payrun cannot send all at once. Payouts already sent do not change.",
    save: "Set priority",
    ofBatch: "Priority of this batch",
  },

  quarantine: {
    title: "This batch is in quarantine: it cannot be approved or sent",
    risk: "If this batch is sent, payrun pays every payout a second time that was paid before and whose record was lost. Compare each payout with the gateway's records since the time of the backup.",
    release: "Release from quarantine",
    releaseSentence: (batchId: string) =>
      `Batch ${batchId} can then be approved and sent. Describe how you verified that none of its payouts was paid.`,
    confirm: "Release",
  },

  retry: {
    title: "Retry batches",
    retries: (batch: ReactNode) => <>This batch retries declined payouts of {batch}.</>,
    retriedBy: (batch: ReactNode) => <>{batch} retries declined payouts of this batch.</>,
    declined: (share: string) => `${share} declined and not retried.`,
    start: "Retry declined payouts",
    dialog: "Retry declined payouts?",
    sentence: (share: string) =>
      `payrun creates a batch of ${share} with new transaction codes. Another person must approve it before payrun sends it.`,
    create: (count: number) => `Create batch of ${payouts(count)}`,
    leftOut: "Not included",
    share: (count: number, sums: readonly string[]) => `${payouts(count)} (${sums.join(", ")})`,
  },

  views: {
    title: "Saved views",
    saveFirst: "Save a view",
    edit: "Save or change views",
    own: "Views to rename or delete",
    noFilters: "Set filters first. A view stores the filters of the list.",
    privateFiltersOnly: "A view does not store filters that identify a beneficiary.",
    notStored: (filters: readonly string[]) =>
      `The view does not store filters that identify a beneficiary: ${filters.join(", ")}.`,
    save: "Save view",
    name: "Name of the view",
    nameHint: "The view stores the current filters. Only you see it.",
    rename: "Rename",
    renameOf: (name: string) => `Rename the view ${name}`,
    delete: "Delete",
    deleteOf: (name: string) => `Delete the view ${name}`,
    nameOf: (name: string) => `Name of the view ${name}`,
  },

  sent: { none: "none", fromFile: "from the file" },

  things: {
    batch: { title: "Batch", all: "All batches", missing: "Batch not found" },
    payout: { title: "Payout", all: "All payouts", missing: "Payout not found" },
    deposit: { title: "Deposit", all: "All deposits", missing: "Deposit not found" },
    notInLedger: (noun: string, code: string) => `This ledger contains no ${noun} ${code}.`,
  },

  timeline: {
    repeated: (title: string, times: number) => `${title}, ${times} times`,
    period: (from: ReactNode, to: ReactNode) => (
      <>
        {from} to {to}
      </>
    ),
    eachTime: "Each time",
    evidence: "Evidence",
    of: (title: string) => ` of: ${title}`,
    later: {
      day: (count: number) => `${counted(count, "day", "days")} later`,
      hour: (count: number) => `${counted(count, "hour", "hours")} later`,
      minute: (count: number) => `${counted(count, "minute", "minutes")} later`,
      second: (count: number) => `${counted(count, "second", "seconds")} later`,
    },
  },

  assignment: {
    groupOwner: (name: ReactNode) => <>The whole failure group is assigned to {name}.</>,
    nobody: "Not assigned.",
    owner: (name: ReactNode) => <>Assigned to {name}.</>,
    disabled: "This user is disabled. Assign it to another person.",
    assign: "Assign",
    assignToMe: "Assign to me",
    assignedTo: "Assigned to",
    nobodyChoice: "nobody",
    you: (name: string) => `${name} (you)`,
  },

  snooze: {
    until: (until: ReactNode, by: string) => (
      <>
        Snoozed until {until} by {by}.
      </>
    ),
    back: {
      day: "Back in the list: the snooze has ended.",
      change: "Back in the list: something has changed since it was snoozed.",
    },
    snooze: "Snooze",
    end: "End snooze",
    day: "Hide from the list until",
    hint: "It returns on the morning of that day, or earlier when something changes. Counts and alarms continue to include it.",
  },

  uploadersOnly: (does: string) =>
    `Only uploaders can ${does}. An admin can give you the role uploader under Settings, Users.`,
};

export const detailMessages = inLanguage({ en });
