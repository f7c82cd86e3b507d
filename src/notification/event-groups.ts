import { type Notice, noticeDocument } from "#notification/events.ts";
import type { EventName } from "#notification/messages.ts";

type Facts = Notice["facts"];

/** The groups of events, in the order of the form. */
export const EVENT_GROUPS = ["batches", "schedules", "operations", "people", "payouts"] as const;
export type EventGroup = (typeof EVENT_GROUPS)[number];

/** An example of the object and the facts of a message. */
interface Example {
  readonly group: EventGroup;
  readonly object: string;
  readonly facts: Facts;
}

const BATCH = {
  group: "batches",
  object: "B7QK2M4N8P",
  facts: { file: "suppliers-48.csv", rows: 48, totals: { INR: "184250.00" }, state: "approved" },
} as const satisfies Example;
const withReason = (reason: string): Example => ({ ...BATCH, facts: { ...BATCH.facts, reason } });
const ALARM = {
  group: "operations",
  object: "lane_stopped",
  facts: { text: "a lane is stopped: INR", since: "2026-11-24T15:08:02.000Z" },
} as const satisfies Example;

const FEED_BATCH = (state: string): Example => ({
  ...BATCH,
  facts: {
    batch_id: BATCH.object,
    batch: { state, payouts: 48, totals: BATCH.facts.totals },
  },
});
const payout = (state: string, reason: string | null): Example => ({
  group: "payouts",
  object: "PR4H8QX2M7KC9TZ3WNB6",
  facts: {
    batch_id: BATCH.object,
    payout: {
      code: "PR4H8QX2M7KC9TZ3WNB6",
      line: 14,
      state,
      reason,
      currency: "INR",
      amount: "1750.00",
      gateway_number: "WD20261124000871",
    },
  },
});
const day = (cause: string | null, causeObject: string | null): Example => ({
  group: "operations",
  object: "M1/INR 2026-11-23",
  facts: {
    batch_id: null,
    day: {
      lane: "M1/INR",
      day: "2026-11-23",
      version: 1,
      closing: "65750.00",
      observed: "65750.00",
      digest: "5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8",
      cause,
      cause_object: causeObject,
    },
  },
});

/** The group of each event, with an example. */
const EXAMPLES: Readonly<Record<Exclude<EventName, "test">, Example>> = {
  batch_awaiting_approval: BATCH,
  batch_sent_back: withReason("the account number in row 3 is wrong"),
  batch_withdrawn: withReason("two accounts are missing"),
  batch_blocked: BATCH,
  batch_approved: FEED_BATCH("approved"),
  batch_held_back: withReason("the approval had expired"),
  batch_paused: withReason("the bank called"),
  batch_finished: FEED_BATCH("finished"),
  batch_finished_with_exceptions: FEED_BATCH("finished_with_exceptions"),
  batch_payouts_returned: {
    ...BATCH,
    facts: { file: "suppliers-48.csv", rows: 2, totals: { INR: "3500.00" } },
  },
  batch_cancelled: FEED_BATCH("cancelled"),
  batch_partly_cancelled: withReason("the supplier delivers less"),
  comment_added: BATCH,
  assigned: {
    group: "operations",
    object: "PR4H8QX2M7KC9TZ3WNB6",
    facts: {
      file: "payout PR4H8QX2M7KC9TZ3WNB6",
      kind: "payout",
      assigned_to: "Dana Lee",
      by: "Chen Wei",
    },
  },
  schedule_missed: {
    group: "schedules",
    object: "SC4T8W2X6Y",
    facts: { schedule: "Salaries", time: "2026-11-30T09:00", reason: "no file arrived" },
  },
  day_closed: day(null, null),
  day_reopened: day("return", "PR4H8QX2M7KC9TZ3WNB6"),
  alarm_raised: ALARM,
  alarm_ended: ALARM,
  people: {
    group: "people",
    object: "USA1B2C3D4",
    facts: { action: "roles", by: "Chen Wei", before: ["viewer"], after: ["approver"] },
  },
  payout_settled: payout("settled", null),
  payout_declined: payout("declined", "failed_at_gateway"),
  payout_on_hold: payout("on_hold", "status_unanswered"),
  payout_in_doubt_too_long: payout("in_doubt", "no_answer"),
  payout_returned: payout("returned", "returned_by_gateway"),
  payout_resolved: payout("resolved", "resolved_arrived"),
  payout_cancelled: payout("cancelled", "cancelled"),
  break_opened: {
    group: "payouts",
    object: "12",
    facts: {
      batch_id: null,
      break: {
        id: 12,
        class: "amount",
        lane: "SKU20260101000005/INR",
        day: "2026-11-24",
        code: "PR4H8QX2M7KC9TZ3WNB6",
      },
    },
  },
  audit_checkpoint: {
    group: "people",
    object: "1042:9f2c…",
    facts: { line: 1042, root: "1042:c31d…" },
  },
};

/** Returns the group of an event. */
export const groupOf = (event: Exclude<EventName, "test">): EventGroup => EXAMPLES[event].group;

/** Returns the document that a webhook receives, with example values. */
export function exampleDocument(event: Exclude<EventName, "test">, dashboard: string | null) {
  const { object, facts } = EXAMPLES[event];
  const at = new Date("2026-11-24T15:17:00Z");
  const id = "batch_id" in facts ? "1042-9f3a1c2b" : "N8F3K1L5M9";
  return noticeDocument({ id, event, object, facts, at }, dashboard);
}
