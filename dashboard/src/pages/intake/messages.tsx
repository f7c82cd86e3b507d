import type { ReactNode } from "react";
import { counted, inLanguage } from "../../base/language.ts";

/** Makes a link of the text. */
type LinkOf = (text: string) => ReactNode;

const payoutsText = (payouts: number) => counted(payouts, "payout", "payouts");

const en = {
  page: {
    loading: "Batch",
    uploadedBy: (name: ReactNode, time: ReactNode) => (
      <>
        uploaded by {name}, {time}
      </>
    ),
    purpose: (purpose: ReactNode) => <>Purpose: {purpose}</>,
    amounts: "Amount by state",
    noAmounts: "No rows in this file can be paid, so no payouts will be sent.",
    payouts: "Payouts by state",
    frozen: "The ledger is frozen: payrun is not sending payouts",
    blocked: "Nobody can approve this batch",
    toApprove: (missing: number, why: string, link: LinkOf) => (
      <>
        This batch needs {counted(missing, "more approval", "more approvals")}: {why}.{" "}
        {link("Open the approval page")}
      </>
    ),
    toCorrect: (link: LinkOf) => <>The uploader can continue on the {link("file page")}.</>,
    excluded: (rows: number) =>
      rows === 1
        ? "1 row in the file has problems and is excluded from the batch."
        : `${rows.toLocaleString()} rows in the file have problems and are excluded from the batch.`,
  },

  summary: {
    sentBack: (reason: string) => `Sent back: “${reason}”.`,
    reason: (reason: string) => `“${reason}”`,
    paused: (reason: string) => `Paused: “${reason}”.`,
    cancelled: (reason: string) => `Cancelled: “${reason}”.`,
    noReason: "no reason given",
    sending: "Sending.",
    notSending: "No payouts are being sent right now.",
    allSent: "No payouts are waiting to be sent.",
    answered: (answered: number, payouts: number) =>
      `${answered.toLocaleString()} of ${payoutsText(payouts)} processed.`,
    unsent: (payouts: number) => `${payouts.toLocaleString()} not yet sent.`,
    inDoubt: (payouts: number) =>
      `${payouts.toLocaleString()} in doubt; payrun is querying the gateway.`,
    onHold: (payouts: number) => `${payouts.toLocaleString()} on hold.`,
    timeLeft: (duration: string) => `About ${duration} left.`,
    seconds: (seconds: number) => `${seconds} s`,
    minutes: (minutes: number) => `${minutes} min`,
    hours: (hours: number, minutes: number) => `${hours} h ${minutes} min`,
  },

  live: {
    live: "live",
    offline: (time: ReactNode) => <>offline since {time}; the figures may be out of date</>,
    answersPerSecond: (answers: number) => ` · ${answers.toLocaleString()} responses/s`,
    processed: (percent: number) => `At least ${percent}% of the payouts have been processed.`,
    declined: " Some payouts have been declined.",
    inDoubt: " Some payouts are in doubt.",
  },

  lanes: {
    stopped: (lane: string) => `${lane} is stopped`,
    needs: {
      wait: "payrun will try again automatically",
      person: "An operator must decide what to do next",
      answers:
        "The lane will reopen automatically once status queries have resolved enough payouts",
    },
    why: (reason: string, needs: string, time: ReactNode | null) => (
      <>
        {reason}. {needs}
        {time === null ? "" : <>, {time}</>}.
      </>
    ),
  },

  canary: {
    failed: "The canary did not settle: decide what to do next",
    waiting: "Other payouts are waiting for the canary",
    settled: (lane: string, settled: number, payouts: number, reason: string | null) =>
      `${lane}: ${settled} of ${payoutsText(payouts)} settled.${reason ? ` ${reason}.` : ""}`,
    notReleased: (lanes: readonly string[]) =>
      `Payouts waiting for the canary were not released: ${lanes.join(", ")}.`,
    released: (lanes: readonly string[]) =>
      `Payouts waiting for the canary were released: ${lanes.join(", ")}.`,
    toCome: (payouts: number) =>
      `payrun will first send a canary of ${payoutsText(payouts)} per lane. The remaining payouts will follow once the canary has settled.`,
    label: "Canary",
    description:
      "Number of payouts per lane that must settle before payrun sends the rest. Enter 0 for no canary.",
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
    checkedAgain: (when: string) => `${when} payrun will check the rows again first.`,
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
    unsent: (payouts: number, amounts: readonly string[]) =>
      `${payoutsText(payouts)} (${amounts.join(", ")})`,
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
        `payrun will resume the stopped lanes in this batch. Not yet sent: ${unsent}.`,
    },
    release: {
      verb: "Release unsent payouts",
      title: "Release unsent payouts?",
      text: (unsent: string) =>
        `payrun will send ${unsent} even though the canary has not settled.`,
    },
    cancel: {
      verb: "Cancel unsent payouts",
      title: "Cancel unsent payouts?",
      text: (unsent: string) =>
        `payrun will cancel all unsent payouts in this batch. Not yet sent: ${unsent}. payrun will still query the status of payouts already sent. You cannot undo this.`,
    },
  },

  charts: {
    title: "Progress",
    failures: "Failure groups",
    payouts: "Payouts",
    sent: "sent",
    settled: "settled",
    declined: "declined",
    throughput: "Throughput",
    answersPerSecond: "responses per second",
    responseTime: "Gateway response time",
    percentile95: "95th percentile (ms)",
    state: "State",
    reason: "Reason",
    noReason: "no reason recorded",
    count: "Payouts",
    total: "Total",
  },

  tabs: {
    payouts: "Payouts",
    findings: "Findings",
    approvals: "Approvals",
    files: "Files",
    timeline: "History",
    audit: "Audit log",
  },

  payouts: {
    caption: "Payouts in this batch",
    state: "State",
    empty: "This batch has no payouts because no rows in its file can be paid.",
  },

  approvals: {
    rule: (why: string) => `${why.slice(0, 1).toUpperCase()}${why.slice(1)}.`,
    digest: (digest: string) => `Content digest: ${digest}…`,
  },

  history: {
    caption: "History of this batch",
    time: "Time",
    by: "By",
    action: "Action",
    words: "Reason or comment",
    actions: {
      ingest: "uploaded the file",
      request_approval: "sent the batch for approval",
      submit: "sent the batch for approval",
      correct: "corrected rows",
      correct_partly: "corrected some rows",
      leave_out: "excluded the rows with problems",
      approval: "approved the batch; more approvals needed",
      approve: "approved the batch",
      withdraw_approval: "withdrew the approval",
      send_back: "sent the batch back",
      give_back: "sent the batch back",
      question: "asked a question",
      describe: "entered the purpose",
      release_quarantine: "released the batch from quarantine",
      keep_quarantine: "kept the batch in quarantine",
      allow_duplicates: "gave a reason for the exact duplicates",
      allow_repeats: "gave a reason for the exact duplicates",
      set_priority: "changed the priority",
      set_canary: "set the canary",
      release_canary: "released the payouts waiting for the canary",
      release: "released the batch at its scheduled time",
      let_go: "released the batch at its scheduled time",
      hold_back: "held the batch back at its scheduled time",
      keep_back: "held the batch back at its scheduled time",
      reschedule: "rescheduled the batch",
      put_off: "rescheduled the batch",
      send_now: "sent the batch before its scheduled time",
      pause: "paused the batch",
      resume: "resumed the batch",
      cancel: "cancelled the batch",
      cancel_rest: "cancelled the unsent payouts",
      view_rows: "viewed rows",
      download_rejects: "downloaded the rows with problems",
      download_report: "downloaded the batch report",
      download_copy: "downloaded the valid rows",
      acknowledge_lost: "acknowledged that the batch was lost",
      finish: "finished: every payout is settled",
      finish_with_exceptions: "finished with exceptions",
      finish_cancelled: "finished: every payout is cancelled",
    } as Readonly<Record<string, string>>,
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
    file: "File",
    kind: "Type",
    original: "original file",
    correction: (rows: number) => `correction of ${counted(rows, "row", "rows")}`,
    rows: "Rows",
    uploadedBy: "Uploaded by",
    uploadedAt: "Uploaded",
    digest: "SHA-256",
    kept: (commandOf: (text: string) => ReactNode) => (
      <>
        payrun does not keep a copy of the file, so you cannot download it here. payrun stores the
        encrypted cell values and the file's name, SHA-256, uploader and upload time. To check
        whether you have the same file, compare its SHA-256 ({commandOf("sha256sum FILE")}). If you
        upload the same file again, payrun will recognise it as this batch. The report below
        contains the cell values.
      </>
    ),
    reportExcel: "All rows with their states (Excel)",
    reportCsv: "All rows with their states (CSV)",
    rejectsExcel: "Rows with problems (Excel)",
    rejectsCsv: "Rows with problems (CSV)",
  },

  audit: {
    order: "Newest first.",
    filter: "Filter entries and verify the log",
    caption: "Audit log of this batch, newest first",
    empty: "The audit log has no entries for this batch.",
  },
};

export const messages = inLanguage({ en });
