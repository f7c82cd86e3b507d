import { z } from "zod";
import type { ApiOperation } from "#api/app/operation.ts";
import { Timestamp } from "#api/app/shapes.ts";
import { EVENT_NAMES } from "#notification/events.ts";

export const INBOX_API = {
  "GET /api/inbox": {
    permission: "read",
    keys: false,
    summary: "Lists your last 50 notifications, unread ones first",
    answer: z.object({
      items: z.array(
        z.object({
          notice_id: z.string(),
          event: z.enum(EVENT_NAMES),
          title: z.string(),
          detail: z.string(),
          page: z.string(),
          at: Timestamp,
          is_read: z.boolean(),
        }),
      ),
      unread: z.int(),
    }),
  },
  "POST /api/inbox/read": {
    permission: "read",
    keys: false,
    summary: "Marks notifications as read",
    body: z.strictObject({ notice_ids: z.array(z.string().max(40)).min(1).max(100) }),
    answer: "nothing",
  },
} as const satisfies Record<string, ApiOperation>;
