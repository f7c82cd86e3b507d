import type { ReactNode } from "react";
import { counted, inLanguage, listed } from "../../base/language.ts";

/** Makes a link of the text. */
type LinkOf = (text: string) => ReactNode;

const payoutsText = (payouts: number) => counted(payouts, "payout", "payouts");

const noApprover = "No user can approve the batch yet.";

const en = {
  leftOutRows: {
    title: (rows: number) => `${counted(rows, "row", "rows")} left out`,
    caption: "These rows of the file are not part of the batch and will not be paid",
    table: "Rows that were left out",
    line: "Line",
    by: "Left out by",
    contents: "Contents",
    noColumn: "More",
    action: "",
    putBack: "Put back",
    putBackLine: (line: number) => `Put back line ${line}`,
    more: (rows: number) => `Only the first ${rows} rows are listed.`,
  },

  sendForApproval: {
    verb: "Send for approval",
    text: (payouts: number, total: string, approvers: readonly string[]) =>
      `${payoutsText(payouts)}, ${total}. ${approvers.length === 0 ? noApprover : `${listed(approvers)} can approve the batch.`} No payouts will be sent until the batch is approved.`,
    sent: (approvers: readonly string[]) =>
      `Sent for approval. ${approvers.length === 0 ? noApprover : `The batch now appears under Approvals for ${listed(approvers, "and")}.`}`,
    details: "Add expected totals or a purpose first",
  },

  cancellation: {
    cancelled: (name: string, reason: string | null) =>
      `Cancelled by ${name}${reason === null ? "" : `: “${reason}”`}.`,
    count: (payouts: number, state: string) => `${payouts.toLocaleString()} ${state}`,
    tracking: (payouts: number) =>
      payouts === 1
        ? "payrun still tracks 1 payout that was sent before."
        : `payrun still tracks ${payouts.toLocaleString()} payouts that were sent before.`,
  },

  page: {
    archived: (payouts: number) =>
      payouts === 1 ? "1 payout archived" : `${payouts.toLocaleString()} payouts archived`,
    archivedIn: (files: string) =>
      `Their details and their course are in the archive file ${files}. To read them: payrun archive show`,
    loading: "Batch",
    crumb: "Batches",
    uploadedBy: (name: ReactNode, time: ReactNode) => (
      <>
        Uploaded by {name}, {time}
      </>
    ),
    approvedBy: (names: ReactNode, time: ReactNode) => (
      <>
        Approved by {names}, {time}
      </>
    ),
    purpose: (purpose: ReactNode) => <>Purpose: {purpose}</>,
    noAmounts: "No rows in this file can be paid, so no payouts will be sent.",
    breakdown: (isApproved: boolean) =>
      isApproved ? "Approved amount by state" : "Uploaded amount by state",
    frozen: "The ledger is frozen: payrun is not sending payouts",
    blocked: "Nobody can approve this batch",
    duplicates: "Exact duplicates block the approval",
    duplicatesText: (uploader: ReactNode, link: LinkOf) => (
      <>
        Another batch already pays some of these payouts. {uploader} must give a reason, or another
        uploader. Another person can then approve the batch. {link("View the duplicates")}
      </>
    ),
    excluded: (rows: number) =>
      rows === 1
        ? "1 row in the file has problems and is excluded from the batch."
        : `${rows.toLocaleString()} rows in the file have problems and are excluded from the batch.`,
  },

  lanes: {
    stopped: (lane: string) => `${lane} is stopped`,
    paused: (lane: string | null) => (lane === null ? "All lanes are paused" : `${lane} is paused`),
    pausedBy: (name: ReactNode, since: ReactNode, reason: ReactNode) => (
      <>
        {name} paused sending {since}: {reason}.
      </>
    ),
    until: (time: ReactNode) => <>Sending resumes {time}.</>,
    untilResumed: "It stays paused until an operator resumes it.",
    openLane: "Open lane",
    openLanes: "Open lanes",
    since: "Stopped",
    needs: {
      wait: "payrun will try again automatically",
      person: "An operator must fix the cause and restart the lane",
      answers:
        "The lane will restart automatically once status queries have resolved enough payouts",
    },
    why: (reason: string, needs: string, time: ReactNode | null) => (
      <>
        {reason}. {needs}
        {time === null ? "" : <>, {time}</>}.
      </>
    ),
  },

  canary: {
    failed: "A payout that was sent first (canary) did not settle: decide what to do next",
    waiting: "The rest of the batch waits until the payouts sent first (canary) have settled",
    settled: (lane: string, settled: number, payouts: number, reason: string | null) =>
      `${lane}: ${settled} of ${payoutsText(payouts)} settled.${reason ? ` ${reason}.` : ""}`,
    notReleased: (lanes: readonly string[]) =>
      `payrun sent a few payouts first (canary) and never released the rest: ${lanes.join(", ")}.`,
    released: (lanes: readonly string[]) =>
      `payrun sent a few payouts first (canary) and then released the rest: ${lanes.join(", ")}.`,
    toCome: (payouts: number) =>
      `payrun will first send ${payoutsText(payouts)} per lane (canary), and the rest once ${payouts === 1 ? "it has" : "they have"} settled.`,
    label: "Send a few first (canary)",
    description:
      "payrun first sends a few payouts in each lane (merchant account and currency), and the rest once they have settled.",
    payouts: "Payouts sent first in each lane",
    none: "0 sends all at once",
    set: "Set canary",
  },

  sendTime: {
    at: {
      beforeApproval: (time: string) => `After approval, payrun will send the batch at ${time}.`,
      approved: (time: string) => `payrun will send the batch at ${time}.`,
      paused: (time: string) => `After the batch is resumed, payrun will send it at ${time}.`,
    },
    passed: {
      beforeApproval: (time: string) =>
        `The scheduled time, ${time}, has passed. payrun will send the batch immediately after approval.`,
      approved: (time: string) =>
        `The scheduled time, ${time}, has passed. payrun will send the batch immediately.`,
      paused: (time: string) =>
        `The scheduled time, ${time}, has passed. payrun will send the batch when it is resumed.`,
    },
    checkedAgain: (when: string) => `${when} Before sending, payrun will check the rows again.`,
    heldBack: "Held back at the scheduled time",
    heldBackText: (reason: string) => `${reason} No payouts were sent.`,
    sendNow: "Send now",
    sendNowTitle: "Send this batch now?",
    sendNowText: (payouts: number) =>
      `payrun will check ${payoutsText(payouts)} again and then send ${payouts === 1 ? "it" : "them"} immediately.`,
    reschedule: "Reschedule",
    rescheduleTo: (time: string) => `Reschedule to ${time}`,
    rescheduleTitle: "Reschedule this batch?",
    rescheduleText: (time: string) => `payrun will send the batch at ${time}.`,
    notLater: (time: string) =>
      `Choose a time after the scheduled time, ${time}. Only an approver can send the batch earlier, using “Send now”.`,
  },

  actions: {
    more: "More actions",
    unsent: (payouts: number, amounts: readonly string[]) =>
      payouts === 0 ? payoutsText(0) : `${payoutsText(payouts)} (${amounts.join(", ")})`,
    withdraw: {
      verb: "Withdraw",
      title: "Withdraw this batch from approval?",
      text: (unsent: string) =>
        `payrun will not send ${unsent}. The batch becomes a draft, approvals given before no longer count, and the approvers see your reason.`,
    },
    pause: {
      verb: "Pause",
      title: "Pause this batch?",
      text: (unsent: string) =>
        `payrun will stop sending this batch. Not yet sent: ${unsent}. payrun will still query the status of payouts already sent.`,
    },
    resume: {
      verb: "Resume",
      title: "Resume this batch?",
      text: (unsent: string) =>
        `payrun will continue sending this batch. Lanes that are stopped or paused stay so. Not yet sent: ${unsent}.`,
    },
    release: {
      verb: "Release unsent payouts",
      title: "Release unsent payouts?",
      text: (unsent: string) =>
        `payrun will send ${unsent} even though the canary has not settled.`,
    },
    cancelling: "Cancelling…",
    cancelUnsent: (unsent: number) =>
      `Cancel ${counted(unsent, "unsent payout", "unsent payouts")}`,
    cancel: {
      verb: "Cancel unsent payouts",
      title: "Cancel unsent payouts?",
      text: (unsent: string) =>
        `payrun will cancel all unsent payouts in this batch. Not yet sent: ${unsent}. payrun will still query the status of payouts already sent. You cannot undo this.`,
    },
    counting: "Counting the unsent payouts…",
    stillSending: "payrun continues to send payouts until you confirm.",
    cancelled: (payouts: number, isWhole: boolean) =>
      payouts === 0
        ? "No payout was cancelled, because no unsent payouts were left."
        : isWhole
          ? `payrun cancelled ${payoutsText(payouts)}, which is the whole batch.`
          : `payrun cancelled ${payoutsText(payouts)}. It still queries the status of payouts already sent.`,
  },

  approvals: {
    rule: (why: string) => `${why.slice(0, 1).toUpperCase()}${why.slice(1)}.`,
    digest: (digest: string) => `Content digest: ${digest}…`,
  },

  sentBack: {
    unknown: "An approver sent the batch back.",
    by: (name: ReactNode, time: ReactNode, reason: ReactNode) => (
      <>
        Sent back by {name}, {time}: “{reason}”
      </>
    ),
  },

  files: {
    howRead: "How the file was read",
    caption: "Batch file and corrections",
    file: "Source",
    kind: "Type",
    original: { file: "original file", rows: "rows sent by API", payouts: "single payouts" },
    correction: (rows: number) => `correction of ${counted(rows, "row", "rows")}`,
    rows: "Rows",
    uploadedBy: "Uploaded by",
    uploadedAt: "Uploaded",
    digest: "SHA-256",
    kept: (commandOf: (text: string) => ReactNode) => (
      <>
        payrun does not keep a copy of the file, only its encrypted values, which the reports below
        contain. To check whether you have the same file, compare its SHA-256 (
        {commandOf("sha256sum FILE")}).
      </>
    ),
    sentByApi:
      "These rows were sent to the API, so there is no original file. The reports below contain their values.",
    reportExcel: "All rows with their states (Excel)",
    reportCsv: "All rows with their states (CSV)",
  },
};

export const messages = inLanguage({ en });
