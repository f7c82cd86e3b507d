import type { ReactNode } from "react";
import { counted, inLanguage } from "../../../base/language.ts";

/** Makes a link of the text. */
type LinkOf = (text: string) => ReactNode;

const payouts = (count: number) => counted(count, "payout", "payouts");
const batches = (count: number) => counted(count, "batch", "batches");

const en = {
  title: "Home",
  upload: "Upload file",
  payouts,

  summary: {
    draft: (count: number) => `${counted(count, "draft", "drafts")} to send for approval`,
    approve: (count: number) => `${batches(count)} to approve`,
    correct: (count: number) => `${batches(count)} to correct`,
    duplicates: (count: number) => `${batches(count)} with duplicates`,
    retry: (count: number) => `${batches(count)} with declined payouts`,
    onHold: (count: number) => `${payouts(count)} on hold`,
    alarms: (count: number) => counted(count, "alarm", "alarms"),
    proposals: (count: number) => `${counted(count, "proposal", "proposals")} to confirm`,
    breaks: (count: number) => `${counted(count, "break", "breaks")} to resolve`,
    statements: (count: number) => `${counted(count, "statement", "statements")} to confirm`,
    days: (count: number) => `${counted(count, "day", "days")} to close`,
    changes: (count: number) => `${counted(count, "change", "changes")} to confirm`,
    nothing: "No action required",
  },

  tasks: {
    title: "Action required",
    items: (count: number) => counted(count, "item", "items"),
    showAll: (count: number) => `Show all ${counted(count, "item", "items")}`,
    caughtUp: "You're all caught up",
    nextRun: (name: string, time: string) => `Next: ${name} ${time}.`,
    waiting: (time: string) => `Waiting ${time}`,
    uploaded: (time: string) => `Uploaded ${time} ago`,
    oldest: (time: string) => `Oldest: ${time}`,
    declinedSince: (time: string) => `Sent ${time} ago`,
    approve: {
      title: (name: string) => `Approve “${name}”`,
      text: (count: number, maker: string) => `${payouts(count)} from ${maker}`,
      verb: "Review",
      whole: (count: number) => `All ${batches(count)} to approve`,
    },
    draft: {
      title: (name: string) => `Send draft “${name}” for approval`,
      text: (count: number) => `${payouts(count)}, no errors`,
      verb: "Send for approval",
      whole: (count: number) => `All ${counted(count, "draft", "drafts")}`,
    },
    correct: {
      title: (name: string) => `Correct “${name}”`,
      text: (rejected: number) =>
        rejected === 0
          ? "An approver sent the batch back"
          : `${counted(rejected, "row has", "rows have")} problems`,
      verb: "Correct",
      whole: (count: number) => `All ${batches(count)} to correct`,
    },
    duplicates: {
      title: (name: string) => `Explain the exact duplicates in “${name}”`,
      text: "The batch cannot be approved until you give a reason, or withdraw it",
      verb: "Review",
      whole: (count: number) => `All ${batches(count)} with exact duplicates`,
    },
    retry: {
      title: (count: number, name: string) =>
        `Fix ${counted(count, "declined payout", "declined payouts")} in “${name}”`,
      text: "Not in a retry batch yet",
      verb: "Fix and retry",
      whole: (count: number) => `All ${batches(count)} with declined payouts to retry`,
    },
    onHold: {
      title: (count: number) => `Review ${payouts(count)} on hold`,
      text: "Find out the result of each payout and record it",
      verb: "Review",
    },
    proposed: {
      title: (count: number) => `Confirm the results of ${payouts(count)}`,
      text: (name: string) => `${name} proposed them from statements`,
      verb: "Review",
    },
    resolution: {
      title: (code: string) => `Confirm the result of ${code}`,
      text: "A colleague recorded a result for this payout, which is on hold",
      verb: "Review",
    },
    waitEnding: {
      title: (code: string) => `Confirm the end of the resend wait for ${code}`,
      text: "A colleague proposed ending the wait and sending this payout again",
      verb: "Review",
    },
    breaks: {
      title: (count: number) => `Resolve ${counted(count, "break", "breaks")}`,
      text: "Differences between statements and the ledger",
      verb: "Review",
    },
    breakProposals: {
      title: (count: number) =>
        `Confirm ${counted(count, "resolution of a break", "resolutions of breaks")}`,
      text: "A colleague explained the differences",
      verb: "Review",
    },
    statement: {
      title: (day: string) => `Confirm the statement of ${day}`,
      text: (name: string, lane: string) => `${name} replaced a compared statement · ${lane}`,
      verb: "Review",
    },
    day: {
      title: (day: string) => `Close ${day}`,
      text: (lane: string, hasStatement: boolean) =>
        hasStatement ? lane : `${lane} · no statement yet`,
      verb: "Open day",
    },
    change: {
      text: (name: string, createsLink: boolean) =>
        createsLink
          ? `Proposed by ${name}. After you confirm it, you get the link to pass on`
          : `Proposed by ${name}. Another admin must confirm it`,
      verb: "Review",
      since: (time: string) => `Proposed ${time} ago`,
    },
    alarm: {
      verb: "Go to Operations",
      batchVerb: "Open batch",
    },
    show: "Show all",
  },

  inDoubt: {
    title: "In doubt",
    view: "View",
    advice: "payrun does not know yet whether the gateway accepted these payouts.",
    warning: "Do not pay these again.",
    oldest: "Oldest",
    next: "Next status query",
    empty: "No payouts are in doubt.",
  },

  next: {
    title: "Upcoming batches and cut-offs",
    calendar: "Calendar",
    showAll: (count: number) => `Show all ${counted(count, "item", "items")}`,
    kinds: { cut_off: "Cut-off", scheduled: "Scheduled", recurring: "Recurring" },
    toApprove: (count: number) => `${payouts(count)} not approved yet`,
    allApproved: "No payouts are awaiting approval",
    unapproved: (payouts: string) => `${payouts}, not approved yet`,
    blocked: (payouts: string) => `${payouts}, blocked by exact duplicates`,
    paused: (payouts: string) => `${payouts}, paused`,
    schedule: "The schedule creates a batch, which needs approval",
    inTime: (time: string) => `in ${time}`,
    now: "now",
    empty: "No batches are scheduled and no cut-offs are set.",
  },

  firstSteps: {
    title: "First steps",
    done: "done",
    steps: {
      invite_approver: (link: LinkOf) => (
        <>{link("Invite an approver")}. Nobody can approve a batch that they uploaded.</>
      ),
      add_channel: (link: LinkOf) => (
        <>{link("Add a notification channel")}, so that alarms reach you outside the dashboard.</>
      ),
      set_second_factor: (link: LinkOf) => (
        <>{link("Set up a second factor")} to protect your account.</>
      ),
      upload: (link: LinkOf) => (
        <>{link("Upload your first file")}, or download a template there. No money moves yet.</>
      ),
      approve: (link: LinkOf) => (
        <>{link("Approve the first batch")} when an uploader sends it to you.</>
      ),
    },
  },

  minutes: (minutes: number) => `${minutes} min`,
  hours: (hours: number, minutes: number) =>
    minutes === 0 ? `${hours} h` : `${hours} h ${minutes} min`,
  days: (days: number) => counted(days, "day", "days"),
};

export const messages = inLanguage({ en });
