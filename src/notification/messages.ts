/**
 * All texts of notification e-mails, and the titles of their events. People's events: people.ts.
 */

import type { ProgramEvent } from "#operations/feed-events.ts";

/** The events that people can receive. Programs depend on the names, so they never change. */
// biome-ignore format: the table is easier to read in columns
export const EVENTS = {
  batch_awaiting_approval:       { says: "A batch is awaiting approval" },
  batch_sent_back:   { says: "A batch was sent back to its uploader" },
  batch_withdrawn:   { says: "A batch was withdrawn from approval by its uploader" },
  batch_blocked:     { says: "A batch was blocked because it contains exact duplicates" },
  batch_approved:    { says: "A batch was approved" },
  batch_held_back:   { says: "A batch was held back at its send time and needs a decision" },
  schedule_missed:   { says: "A schedule did not create its batch on time and needs a decision" },
  batch_paused:      { says: "A batch was paused" },
  batch_finished:    { says: "A batch has finished: every payout is settled" },
  batch_finished_with_exceptions: { says: "A batch has finished with exceptions: not every payout is settled" },
  batch_payouts_returned: { says: "Payouts were returned: the gateway reported them as completed, and later as failed or reversed" },
  batch_cancelled:   { says: "A batch was cancelled before any of its payouts was accepted" },
  batch_partly_cancelled: { says: "The unsent payouts of a batch were cancelled after others had been sent" },
  day_closed:        { says: "A business day was closed" },
  day_reopened:      { says: "A closed business day was reopened, for example by a late return" },
  alarm_raised:      { says: "An alarm needs attention, for example payouts in doubt for too long, a stopped lane or a frozen ledger" },
  alarm_ended:       { says: "An alarm has ended" },
  comment_added:     { says: "Someone commented on a batch, payout or break" },
  assigned:          { says: "Someone assigned a payout, a failure group or a break to another user" },
  people:            { says: "Users, API keys, second factors or the approval policy changed" },
  audit_checkpoint:  { says: "Audit log checkpoint: store it where no payrun user can change it" },
  test:              { says: "Test message" },
} as const;

/** An event that a channel can receive. An e-mail is only about events for people. */
export type EventName = keyof typeof EVENTS | ProgramEvent;

/**
 * The texts of one e-mail. `name` is the file, schedule, problem or line that the event concerns.
 */
export interface EventMail {
  readonly subject: (name: string) => string;
  /** Title in a user's own notifications. Default: the subject. */
  readonly inboxTitle?: (name: string) => string;
  /** States what happened. */
  readonly opening: (name: string) => string;
  /** States it to the user whom it concerns, at their own address. Default: the opening. */
  readonly personal?: (name: string, by: string) => string;
  /** Null: the reader has nothing to do. */
  readonly next: string | null;
  /** Label of the event's object in the e-mail. Null: the object is not listed. */
  readonly object: string | null;
}

const BATCH = "Batch";

/** The e-mail of each event for people, except changes of users and keys. */
export const EVENT_MAILS: Readonly<Record<Exclude<keyof typeof EVENTS, "people">, EventMail>> = {
  batch_awaiting_approval: {
    subject: (file) => `Approval needed: ${file}`,
    opening: (file) => `The batch "${file}" is awaiting approval.`,
    next: "Review the batch, then approve it or send it back. payrun does not send any payouts in a batch before the batch is approved.",
    object: BATCH,
  },
  batch_sent_back: {
    subject: (file) => `Batch sent back: ${file}`,
    opening: (file) => `An approver sent the batch "${file}" back to its uploader.`,
    next: "Correct the batch and send it for approval again, or cancel it.",
    object: BATCH,
  },
  batch_withdrawn: {
    subject: (file) => `Approval no longer needed: ${file}`,
    opening: (file) =>
      `The uploader withdrew the batch "${file}" from approval. Approvals given before no longer count, and payrun does not send any of its payouts.`,
    next: null,
    object: BATCH,
  },
  batch_blocked: {
    subject: (file) => `Batch blocked: ${file} contains exact duplicates`,
    opening: (file) =>
      `The batch "${file}" cannot be approved, because another batch already pays the same amounts to the same accounts. payrun has sent none of its payouts.`,
    next: "If the payouts are intended, open the batch and give the reason, so that another person can approve the batch. Otherwise, cancel the batch.",
    object: BATCH,
  },
  batch_approved: {
    subject: (file) => `Batch approved: ${file}`,
    opening: (file) => `The batch "${file}" was approved.`,
    next: null,
    object: BATCH,
  },
  batch_held_back: {
    subject: (file) => `Decision needed: ${file} was held back`,
    opening: (file) => `payrun held the batch "${file}" back at its send time.`,
    next: "Open the batch, then send it now, reschedule it or cancel it.",
    object: BATCH,
  },
  schedule_missed: {
    subject: (schedule) => `Decision needed: schedule "${schedule}" did not create its batch`,
    opening: (schedule) => `The schedule "${schedule}" did not create its batch on time.`,
    next: "Open the schedule, then create the batch or skip this date.",
    object: null,
  },
  batch_paused: {
    subject: (file) => `Batch paused: ${file}`,
    opening: (file) =>
      `The batch "${file}" was paused. While it is paused, payrun does not send its remaining payouts, but still tracks payouts already sent.`,
    next: "Open the batch, then resume it or cancel its remaining payouts.",
    object: BATCH,
  },
  batch_finished: {
    subject: (file) => `Batch finished: ${file}`,
    opening: (file) => `The batch "${file}" has finished. Every payout is settled.`,
    next: null,
    object: BATCH,
  },
  batch_finished_with_exceptions: {
    subject: (file) => `Batch finished with exceptions: ${file}`,
    opening: (file) => `The batch "${file}" has finished, but not every payout is settled.`,
    next: "Open the batch to see which payouts are not settled, and why. The total above is for the whole batch.",
    object: BATCH,
  },
  batch_payouts_returned: {
    subject: (file) => `Payouts returned: ${file}`,
    opening: (file) =>
      `The gateway reported payouts of the batch "${file}" as completed, and later as failed or reversed. The total below is for all returned payouts of the batch.`,
    next: "Check that the money is back in the merchant account. payrun pays these payouts again only if you include them in a retry batch and it is approved.",
    object: BATCH,
  },
  batch_cancelled: {
    subject: (file) => `Batch cancelled: ${file}`,
    opening: (file) =>
      `The batch "${file}" was cancelled before the gateway accepted any of its payouts.`,
    next: null,
    object: BATCH,
  },
  batch_partly_cancelled: {
    subject: (file) => `Unsent payouts cancelled: ${file}`,
    opening: (file) =>
      `The payouts of the batch "${file}" that had not been sent were cancelled. payrun still tracks those already sent. The total below is for the whole batch.`,
    next: "Open the batch to see which payouts were cancelled, and the results of the others.",
    object: BATCH,
  },
  comment_added: {
    subject: (file) => `New comment: ${file}`,
    opening: (file) =>
      `Someone commented on a batch, payout or break that concerns you: "${file}".`,
    next: "Open the comments to reply.",
    object: "Batch, payout or break",
  },
  assigned: {
    subject: (what) => `Assigned: ${what}`,
    inboxTitle: (what) => `Assigned to you: ${what}`,
    personal: (what, by) => `${by} assigned this to you: ${what}.`,
    opening: (what) => `Someone assigned this to another user: ${what}.`,
    next: "Open it in payrun to see what needs to be done.",
    object: null,
  },
  day_closed: {
    subject: (day) => `Day closed: ${day}`,
    opening: (day) => `The business day ${day} was closed.`,
    next: "Open the day to see its balances and unresolved breaks.",
    object: null,
  },
  day_reopened: {
    subject: (day) => `Day reopened: ${day}`,
    opening: (day) => `The closed business day ${day} was reopened because of a later change.`,
    next: "Open the day, check the cause, and close the day again.",
    object: null,
  },
  alarm_raised: {
    subject: (problem) => `Alarm: ${problem}`,
    opening: (problem) => `payrun raised an alarm: ${problem}.`,
    next: "Open the Operations page, then follow the runbook section for this alarm code. It says whether money is at risk.",
    object: "Alarm code",
  },
  alarm_ended: {
    subject: (alarm) => `Alarm ended: ${alarm}`,
    opening: () => "An alarm has ended: payrun has not detected its cause for ten minutes.",
    next: null,
    object: "Alarm code",
  },
  audit_checkpoint: {
    subject: (line) => `Audit log checkpoint, line ${line}`,
    opening: () =>
      "This is the daily checkpoint of the audit log. With it, you can later check whether any earlier line of the log was changed or removed.",
    next: "Store this e-mail where no payrun user can change it. To verify the log, run: payrun audit verify --checkpoint CHECKPOINT",
    object: "Checkpoint",
  },
  test: {
    subject: () => "Test message",
    opening: () => "This is a test message. payrun can send notifications to this address.",
    next: null,
    object: null,
  },
};

/** Labels of facts, in display order. Facts without a label are not shown. */
export const FACT_LABELS: Readonly<Record<string, string>> = {
  totals: "Total",
  rows: "Payouts",
  state: "Status",
  time: "Time",
  since: "Since",
  until: "Until",
  reason: "Reason",
  assigned_to: "Assigned to",
  by: "By",
  comment_text: "Comment",
  root: "Root for evidence packs",
};

/** The states of batches, in the words of the dashboard. */
export const STATE_WORDS: Readonly<Record<string, string>> = {
  needs_correction: "needs correction",
  draft: "draft",
  awaiting_approval: "awaiting approval",
  approved: "approved",
  paused: "paused",
  finished: "finished",
  finished_with_exceptions: "finished with exceptions",
  cancelled: "cancelled",
};

/** The texts that every e-mail has in common. */
export const MAIL_FRAME = {
  greeting: "Hello,",
  next: "Next step",
  link: "Open in payrun",
  assignments: "To stop e-mails about assignments, open your profile in payrun.",
  channel:
    "An admin added this address as a notification channel. To change it, ask an admin to open Settings → Notifications in payrun.",
} as const;
