import type { ReactNode } from "react";
import { counted, inLanguage, listed } from "../../../base/language.ts";
import { inPercent } from "../../../base/text.ts";

/** `: “wrong month”.` A reason that is a sentence keeps its own full stop. */
const quoted = (reason: string | null): string => {
  if (reason === null) return ".";
  return `: “${reason}”${/[.!?。]$/u.test(reason) ? "" : "."}`;
};

const were = (payouts: number): string => (payouts === 1 ? "was" : "were");
/** "the declined payout", "the 2 declined payouts" or "1 of the declined payouts". */
const declinedPayouts = (payouts: number, isAll: boolean): string =>
  !isAll
    ? `${payouts.toLocaleString()} of the declined payouts`
    : payouts === 1
      ? "the declined payout"
      : `the ${payouts.toLocaleString()} declined payouts`;

const payoutsText = (payouts: number) => counted(payouts, "payout", "payouts");

const en = {
  summary: {
    settled: (settled: number, payouts: number) =>
      `${settled.toLocaleString()} of ${payouts.toLocaleString()} settled.`,
    declined: (payouts: number) => `${payouts.toLocaleString()} ${were(payouts)} declined.`,
    returned: (payouts: number) => `${payouts.toLocaleString()} ${were(payouts)} returned.`,
    cancelled: (payouts: number) => `${payouts.toLocaleString()} ${were(payouts)} cancelled.`,
    resolved: (payouts: number) =>
      `${payouts.toLocaleString()} ${were(payouts)} resolved manually.`,
    draft: (payouts: number) => `${payoutsText(payouts)}, not sent for approval yet.`,
    toCorrect: (rows: number, of: number) =>
      `${rows.toLocaleString()} of ${counted(of, "row", "rows")} ${rows === 1 ? "has" : "have"} problems.`,
    sentBack: (reason: string | null) => `Sent back${quoted(reason)}`,
    afterSentBack:
      "The uploader can send it for approval again, or upload a corrected file as a new batch and ask an operator to cancel this one.",
    reason: (reason: string) => `“${reason}”`,
    paused: (reason: string | null) => `Paused${quoted(reason)}`,
    cancelling: "Cancelling the unsent payouts.",
    sending: "payrun is sending the payouts.",
    notSending: "No payouts are being sent right now.",
    awaitingResults: "No payouts are left to send. payrun is waiting for results from the gateway.",
    allSent: "No payouts are left to send.",
    heldBack: (payouts: number) =>
      `${payouts.toLocaleString()} held back until someone releases or cancels them.`,
    inDoubt: (payouts: number) =>
      `${payouts.toLocaleString()} in doubt; payrun is querying the gateway.`,
    onHold: (payouts: number) =>
      payouts === 1
        ? "1 payout on hold needs a decision."
        : `${payouts.toLocaleString()} payouts on hold need a decision.`,
    seconds: (seconds: number) => `${seconds} s`,
    minutes: (minutes: number) => `${minutes} min`,
    hours: (hours: number, minutes: number) => `${hours} h ${minutes} min`,
  },

  next: {
    title: "State and next step",
    correct: "You can correct or exclude the rows with problems.",
    correctBy: (who: string) => `${who} can correct or exclude the rows with problems.`,
    correctButton: "Correct rows",
    openFile: "Open the file",
    send: "You can send this batch for approval.",
    sendBy: (who: string) => `${who} can send this batch for approval.`,
    approve: "You can approve this batch.",
    approveBy: (names: readonly string[]) => `${listed(names)} can approve this batch.`,
    notOwn: "You uploaded this batch, so another person must approve it.",
    approved: "You have approved this batch.",
    moreApprovals: (missing: number, why: string) =>
      `${counted(missing, "more approval is", "more approvals are")} needed: ${why}.`,
    unsentUntil: "No payouts are sent until the batch is approved.",
    approveButton: "Review and approve",
    review: "Review",
    resume: "You can resume the batch.",
    resumeBy: "An operator can resume the batch.",
    onHold: (payouts: number) =>
      payouts === 1
        ? "You can propose a result for the payout on hold."
        : "You can propose a result for the payouts on hold.",
    onHoldBy: (payouts: number) =>
      payouts === 1
        ? "An operator must propose a result for the payout on hold."
        : "An operator must propose a result for the payouts on hold.",
    onHoldButton: (payouts: number) => `Review ${payouts.toLocaleString()} on hold`,
    heldBack: "You can release or cancel the payouts held back.",
    heldBackBy: "An operator can release or cancel the payouts held back.",
    heldBackButton: (payouts: number) => `Review ${payouts.toLocaleString()} held back`,
    retry: (payouts: number, isAll: boolean) => `You can retry ${declinedPayouts(payouts, isAll)}.`,
    retryBy: (who: string, payouts: number, isAll: boolean) =>
      `${who} can retry ${declinedPayouts(payouts, isAll)}.`,
    retryButton: (payouts: number) => `Retry ${payouts.toLocaleString()} declined`,
  },

  status: {
    title: "Status breakdown",
    uploadedAmount: "Uploaded amount",
    approvedAmount: "Approved amount",
    figure: (processed: number, payouts: number, isApproved: boolean) =>
      isApproved
        ? `${processed.toLocaleString()} of ${payouts.toLocaleString()}`
        : payouts.toLocaleString(),
    processed: "payouts processed",
    uploaded: (payouts: number) => (payouts === 1 ? "payout uploaded" : "payouts uploaded"),
    unsent: (payouts: number) => (payouts === 1 ? "payout, not sent yet" : "payouts, not sent yet"),
    filter: "Filter payouts by state",
    all: "All",
    /** `tenths` is the rounded share in tenths of a percent. */
    share: (count: number, of: number, tenths: number) => {
      if (count > 0 && tenths === 0) return `<${inPercent((0.1).toLocaleString())}`;
      if (count < of && tenths === 1_000) return `>${inPercent((99.9).toLocaleString())}`;
      return inPercent((tenths / 10).toLocaleString(undefined, { maximumFractionDigits: 1 }));
    },
  },

  causes: {
    declined: (payouts: number) => `Why ${payoutsText(payouts)} ${were(payouts)} declined`,
    problems: "Payouts that need attention",
    rule: {
      new_details: "Needs new details",
      decision: "Decide whether to retry",
    },
    retried: "In a retry batch",
    queried: "payrun is querying the gateway",
    retriedBy: (who: string) => `${who} can retry the payouts`,
    correctedBy: (who: string) => `${who} can fix the details`,
    decidedBy: "An operator must decide",
    count: payoutsText,
    currencies: (currencies: number) => `${currencies} currencies`,
    fix: "Fix details",
    retry: "Retry",
    review: "Review",
    export: "Export",
    exportOf: (cause: string) => `Export payouts (CSV): ${cause}`,
    assign: "Assign",
    assignOf: (cause: string) => `Assign: ${cause}`,
    owner: (name: string) => `Assigned to ${name}`,
  },

  live: {
    live: " · live",
    offline: (time: ReactNode) => <> · offline since {time}; the figures may be out of date</>,
    answersPerSecond: (answers: number) => ` · ${answers.toLocaleString()} per second`,
    timeLeft: (duration: string) => ` · about ${duration} left`,
    processed: (percent: number) =>
      `At least ${inPercent(String(percent))} of the payouts have been processed.`,
    declined: " Some payouts have been declined.",
    inDoubt: " Some payouts are in doubt.",
  },

  tabs: {
    payouts: "Payouts",
    findings: "Findings",
    approvals: "Approvals",
    files: "Files",
    comments: "Comments",
    timeline: "Activity",
    charts: "Charts",
    audit: "Audit log",
  },

  charts: {
    title: "Progress",
    failures: "Failure groups",
    payouts: "Payouts",
    sent: "Sent",
    settled: "Settled",
    declined: "Declined",
    throughput: "Throughput",
    answersPerSecond: "Responses per second",
    responseTime: "Gateway response time",
    percentile95: "95th percentile (ms)",
    state: "State",
    reason: "Reason",
    noReason: "no reason recorded",
    count: "Payouts",
    total: "Total",
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
      withdraw: "withdrew the batch from approval",
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
      download_batch_evidence: "downloaded the evidence pack",
      acknowledge_lost: "acknowledged that the batch was lost",
      finish: "finished: every payout is settled",
      finish_with_exceptions: "finished with exceptions",
      finish_cancelled: "finished: every payout is cancelled",
    } as Readonly<Record<string, string>>,
  },
};

export const messages = inLanguage({ en });
