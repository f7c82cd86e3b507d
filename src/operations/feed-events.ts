/**
 * Events that only programs receive, with the text for people who subscribe a webhook. There may be
 * hundreds a second. Programs depend on the names, so they never change.
 */
// biome-ignore format: the table is easier to read in columns
export const PROGRAM_EVENTS = {
  payout_settled:   { says: "A payout settled" },
  payout_declined:  { says: "A payout was declined" },
  payout_on_hold:   { says: "A payout was put on hold" },
  payout_in_doubt_too_long: { says: "A payout has been in doubt for too long" },
  payout_returned:  { says: "A payout was returned" },
  payout_resolved:  { says: "A payout on hold was resolved manually" },
  payout_cancelled: { says: "A payout was cancelled" },
  break_opened:     { says: "Reconciliation found a break" },
} as const;

export type ProgramEvent = keyof typeof PROGRAM_EVENTS;

/** Events that people receive by e-mail, and programs from the events of the ledger. */
export const MAILED_FEED_EVENTS = [
  "batch_approved",
  "batch_finished",
  "batch_finished_with_exceptions",
  "batch_cancelled",
  "day_closed",
  "day_reopened",
] as const;

export const PROGRAM_EVENT_NAMES = Object.keys(PROGRAM_EVENTS) as ProgramEvent[];

export type FeedEventName = ProgramEvent | (typeof MAILED_FEED_EVENTS)[number];

/** All types of events that `GET /api/events` returns. */
export const FEED_EVENTS: readonly [FeedEventName, ...FeedEventName[]] = [
  ...MAILED_FEED_EVENTS,
  ...PROGRAM_EVENT_NAMES,
];

/** Returns whether only programs receive an event. */
export const isProgramEvent = (event: string): event is ProgramEvent =>
  Object.hasOwn(PROGRAM_EVENTS, event);
