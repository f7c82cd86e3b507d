import { z } from "zod";
import type { ApiOperation } from "#api/app/operation.ts";

const TOPICS_MAX = 10;

export const LIVE_API = {
  "GET /api/live": {
    permission: "read",
    summary:
      "Streams server-sent events. When a topic changes, an event is sent, at most once per second for each topic. The event name is the topic, and the event data is the response of the corresponding GET endpoint. Topics: home, status_indicator, batch:ID, unsent:ID, payout:CODE, deposit:CODE, operations",
    query: z.strictObject({
      topics: z
        .string()
        .max(1_000)
        .transform((names) => [...new Set(names.split(","))])
        .pipe(z.array(z.string().regex(/^[a-z_]+(:[\w-]+)?$/)).max(TOPICS_MAX)),
    }),
    answer: "events",
    keys: false,
  },
} as const satisfies Record<string, ApiOperation>;
