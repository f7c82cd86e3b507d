import type { ReactNode } from "react";
import { counted, inLanguage } from "../base/language.ts";

/** Texts of components that the first page does not load. */
const en = {
  uploader: (name: string | null) =>
    name === null ? "An uploader" : `${name} or another uploader`,

  breaker: { name: "Circuit breaker", protects: "Protects", resumes: "Sending resumes" },

  resolution: {
    proposedByYou: "You proposed",
    proposedBy: (name: string) => `${name} proposed`,
    proposalChanged: "The proposal has changed since you opened it",
    confirmRead: "I have read the new proposal",
    confirm: "Confirm and resolve",
    reject: "Reject",
    needsApprover: "Another user with the approver role must confirm the result.",
    propose: "Propose result",
    proposeInstead: "Propose this result instead",
    result: "Result",
    resultHint:
      "Take the result from the bank statement or a written response from gateway support.",
    evidence: "Evidence",
  },

  frozen: {
    title: "The ledger is frozen: no payouts are being sent",
    detail: (reason: string) =>
      `${reason}. The ledger may have lost records of uploaded files and sent payouts.`,
  },

  payouts: {
    line: "Line",
    lineOf: (line: number) => `line ${line}`,
    beneficiary: "Beneficiary",
    erased: "Erased",
    account: "Account",
    amount: "Amount",
    code: "Code",
    state: "State",
    batch: "Batch",
    lastChange: "Last change",
    noAnswer: "no readable response",
    answers: {
      not_found: (times: number) => `not found at the gateway, ${times}×`,
      unclear: (times: number) => `inconclusive response, ${times}×`,
      returned: (times: number) => `reported as failed after settlement, ${times}×`,
    },
    attempts: (answer: string, attempts: number) => `${answer}; ${attempts} attempts`,
    retry: (state: string) => `Retry: ${state}`,
  },

  priority: {
    labels: {
      urgent: "urgent: sent before all other batches",
      normal: "normal: takes turns with other batches",
      low: "low: sent after all other batches",
    },
    title: "Priority",
    button: (priority: string) => `Change priority (${priority})`,
    sentence:
      "The priority determines which batch is sent first. Payouts already sent are not affected.",
    save: "Set priority",
    ofBatch: "Batch priority",
  },

  quarantine: {
    title: "This batch is in quarantine and cannot be approved or sent",
    risk: "Payouts in this batch may already have been paid and their records lost. Sending the batch could pay them a second time. Compare each payout with the gateway's records since the backup was made.",
    release: "Release from quarantine",
    releaseSentence: (batchId: string) =>
      `Once released, batch ${batchId} can be approved and sent. Explain how you verified that none of its payouts has been paid.`,
    confirm: "Release",
  },

  export: {
    title: "Export",
    formats: { csv: "CSV", xlsx: "Excel, at most 50,000 rows" },
  },

  sent: { none: "none", fromFile: "from the file" },

  things: {
    batch: { title: "Batch", all: "All batches", missing: "Batch not found" },
    payout: { title: "Payout", all: "All payouts", missing: "Payout not found" },
    deposit: { title: "Deposit", all: "All deposits", missing: "Deposit not found" },
    notInLedger: (noun: string, code: string) => `There is no ${noun} ${code} in this ledger.`,
  },

  timeline: {
    repeated: (title: string, times: number) => `${title}, ${times} times`,
    period: (from: ReactNode, to: ReactNode) => (
      <>
        {from} to {to}
      </>
    ),
    /** "Approved by Asha Rao". The name follows the first clause of a title. */
    by: (title: string, name: string) => {
      const [first, rest] = title.split(/: (.+)/);
      return rest === undefined ? `${title} by ${name}` : `${first} by ${name}: ${rest}`;
    },
    eachTime: "All occurrences",
    evidence: "Evidence",
    of: (title: string) => ` of: ${title}`,
    later: {
      day: (count: number) => `${counted(count, "day", "days")} later`,
      hour: (count: number) => `${counted(count, "hour", "hours")} later`,
      minute: (count: number) => `${counted(count, "minute", "minutes")} later`,
      second: (count: number) => `${counted(count, "second", "seconds")} later`,
    },
  },

  uploadersOnly: (does: string) =>
    `Only uploaders can ${does}. An admin can give you the uploader role under Settings > Users.`,

  outlook: {
    next: "Next:",
    wait: (until: ReactNode, because: string) => (
      <>
        payrun will wait until {until} before sending the payout again, because {because}.
      </>
    ),
    lastChange: "Last change",
  },

  changed: {
    title: "The data has changed since you loaded it",
    textStays:
      "The text you entered will be discarded when you leave this form. Copy it if you still need it.",
    notPossible: "This action is no longer possible.",
  },

  notes: {
    permanent: "This text is stored permanently in the audit log. Do not enter account numbers.",
    reason: "Reason",
    reasonHint: (chars: number) =>
      `The reason is recorded in the audit log. Enter at least ${chars} characters.`,
  },

  equation: {
    currency: "Currency",
    approved: { total: "approved", caption: "Approved amount by state" },
    uploaded: { total: "uploaded", caption: "Uploaded amount by state" },
    balanced: (total: string) =>
      `Balanced: the ${total} amount equals the sum of the amounts in all states`,
    fees: "Fees",
    feesOf: (fees: string) => `${fees} fees`,
    notBalanced: (currencies: string) => `Not balanced: ${currencies}`,
  },
};

export const detailMessages = inLanguage({ en });
