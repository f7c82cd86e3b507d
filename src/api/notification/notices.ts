import { z } from "zod";
import type { ApiOperation } from "#api/app/operation.ts";
import { lineText, Timestamp } from "#api/app/shapes.ts";
import { EVENT_GROUPS } from "#notification/event-groups.ts";
import { EVENT_NAMES } from "#notification/events.ts";
import { PROGRAM_EVENT_NAMES } from "#operations/feed-events.ts";

const ChannelId = z.object({ id: z.string().max(40) });
const Event = z.enum(EVENT_NAMES);

const Channel = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(["email", "webhook"]),
  target: z.string(),
  events: z.array(Event),
  created_by: z.string(),
  created_at: Timestamp,
  /** payrun gave up on a message, and no later one was delivered. */
  is_failing: z.boolean(),
  /** Changes with the settings; an edit names the version that the editor has seen. */
  version: z.string(),
});

const eventsOf = <Name extends string>(event: z.ZodType<Name>) =>
  z
    .array(event)
    .min(1)
    .transform((events) => [...new Set(events)]);
const name = lineText(1, 100);

const EmailSettings = z.object({
  name,
  events: eventsOf(Event.exclude(["test", ...PROGRAM_EVENT_NAMES])),
  kind: z.literal("email"),
  target: z.email().max(200),
});
const WebhookSettings = z.object({
  name,
  events: eventsOf(Event.exclude(["test"])),
  kind: z.literal("webhook"),
  target: z.url().max(2_000),
});
const version = z.string().max(64);

export const NOTICE_API = {
  "GET /api/channels": {
    permission: "administer",
    summary: "Lists the notification channels and the events that can be sent to them",
    answer: z.object({
      items: z.array(Channel),
      events: z.array(
        z.object({
          event: Event.exclude(["test"]),
          says: z.string(),
          group: z.enum(EVENT_GROUPS),
          /** The document that a webhook receives, with example values. */
          example: z.record(z.string(), z.unknown()),
        }),
      ),
      /** False if no mail server is configured; no e-mail is sent. */
      can_mail: z.boolean(),
    }),
  },
  "POST /api/channels": {
    permission: "administer",
    summary: "Creates a notification channel; a webhook's secret is shown only once",
    creates: true,
    secret: true,
    stepUp: true,
    body: z.discriminatedUnion("kind", [EmailSettings, WebhookSettings]),
    answer: z.object({ channel: Channel, secret: z.string().nullable() }),
  },
  "PUT /api/channels/:id": {
    permission: "administer",
    summary: "Replaces the settings of a notification channel; its kind and its secret stay",
    stepUp: true,
    params: ChannelId,
    body: z.discriminatedUnion("kind", [
      EmailSettings.extend({ version }),
      WebhookSettings.extend({ version }),
    ]),
    answer: Channel,
  },
  "POST /api/channels/check": {
    permission: "administer",
    summary: "Checks the address of a webhook without storing it",
    body: z.strictObject({ target: z.string().max(2_000) }),
    answer: z.object({ why_not: z.string().nullable() }),
  },
  "DELETE /api/channels/:id": {
    permission: "administer",
    summary: "Deletes a notification channel",
    stepUp: true,
    params: ChannelId,
    answer: "nothing",
  },
  "POST /api/channels/:id/test": {
    permission: "administer",
    summary: "Sends a test message",
    params: ChannelId,
    answer: "nothing",
  },
  "GET /api/deliveries": {
    permission: "administer",
    summary: "Lists the last 200 messages with their delivery status",
    answer: z.object({
      items: z.array(
        z.object({
          notice_id: z.string(),
          channel_id: z.string(),
          channel: z.string(),
          event: Event,
          object: z.string(),
          at: Timestamp,
          state: z.enum(["waiting", "delivered", "given_up"]),
          attempts: z.int(),
          /** The next attempt; null for none. */
          due_at: Timestamp.nullable(),
          /** The receiver's answer to the last attempt: its HTTP status, or the error. */
          answer: z.string().nullable(),
          /** The beginning of the response to the last attempt, without secrets; null if none. */
          answer_body: z.string().nullable(),
          updated_at: Timestamp,
        }),
      ),
    }),
  },
  "GET /api/deliveries/:notice_id/:channel_id": {
    permission: "administer",
    summary: "Returns the payload and the attempts of a delivery",
    params: z.object({ notice_id: z.string().max(60), channel_id: z.string().max(40) }),
    answer: z.object({
      /** The JSON document that the webhook receives; null for e-mail. */
      payload: z.record(z.string(), z.unknown()).nullable(),
      /** The last 100 attempts, latest first. */
      attempts: z.array(
        z.object({
          at: Timestamp,
          delivered: z.boolean(),
          answer: z.string(),
          answer_body: z.string().nullable(),
        }),
      ),
    }),
  },
  "POST /api/deliveries/replay": {
    permission: "administer",
    summary: "Resends a message with the same ID",
    body: z.object({ notice_id: z.string().max(40), channel_id: z.string().max(40) }),
    answer: "nothing",
  },
} as const satisfies Record<string, ApiOperation>;
