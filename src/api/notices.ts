import { z } from "zod";
import type { Operation } from "#api/operation.ts";
import { line, Timestamp } from "#api/shapes.ts";
import { EVENT_NAMES } from "#notices/events.ts";

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
  /** Its last message was given up, and none has arrived since. */
  is_failing: z.boolean(),
});

const common = {
  name: line(1, 100),
  events: z
    .array(Event.exclude(["test"]))
    .min(1)
    .transform((events) => [...new Set(events)]),
};

export const NOTICE_API = {
  "GET /api/channels": {
    may: "administer",
    summary: "Who outside the desk is told of what",
    answer: z.object({
      items: z.array(Channel),
      events: z.array(z.object({ event: Event, says: z.string() })),
      /** False: no mail server is set, and no e-mail goes out. */
      can_mail: z.boolean(),
    }),
  },
  "POST /api/channels": {
    may: "administer",
    summary: "Tell an e-mail address or a webhook; its secret is answered once",
    creates: true,
    secret: true,
    stepUp: true,
    body: z.discriminatedUnion("kind", [
      z.object({ ...common, kind: z.literal("email"), target: z.email().max(200) }),
      z.object({ ...common, kind: z.literal("webhook"), target: z.url().max(2_000) }),
    ]),
    answer: z.object({ channel: Channel, secret: z.string().nullable() }),
  },
  "DELETE /api/channels/:id": {
    may: "administer",
    summary: "Tell it nothing more",
    stepUp: true,
    params: ChannelId,
    answer: "nothing",
  },
  "POST /api/channels/:id/test": {
    may: "administer",
    summary: "Send a message that says that it is a test",
    params: ChannelId,
    answer: "nothing",
  },
  "GET /api/deliveries": {
    may: "administer",
    summary: "What became of the last two hundred messages",
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
          tries: z.int(),
          /** When it is tried next; null: it is not. */
          due_at: Timestamp.nullable(),
          /** What the receiver said to the last try. */
          answer: z.string().nullable(),
          updated_at: Timestamp,
        }),
      ),
    }),
  },
  "POST /api/deliveries/replay": {
    may: "administer",
    summary: "Send a message again, under the same id",
    body: z.object({ notice_id: z.string().max(40), channel_id: z.string().max(40) }),
    answer: "nothing",
  },
} as const satisfies Record<string, Operation>;
