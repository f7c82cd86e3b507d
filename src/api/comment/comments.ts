import { z } from "zod";
import type { ApiOperation } from "#api/app/operation.ts";
import { multiLineText, Timestamp } from "#api/app/shapes.ts";
import { COMMENT_LENGTH_MAX } from "#comment/mentions.ts";

const subject = {
  batch: z.string().trim().min(1).max(40).optional(),
  payout: z.string().trim().min(1).max(64).optional(),
};
const hasOneSubject = ({ batch, payout }: { batch?: unknown; payout?: unknown }): boolean =>
  (batch === undefined) !== (payout === undefined);
const ONE_SUBJECT = "either `batch` or `payout`";

const CommentId = z.string().trim().min(1).max(40);
const MentionedUser = z.object({ id: z.string(), name: z.string() });

const Comment = z.object({
  id: z.string(),
  at: Timestamp,
  by: z.object({ actor: z.string(), name: z.string() }),
  /** Empty if it was erased. */
  text: z.string(),
  is_erased: z.boolean(),
  mentions: z.array(MentionedUser),
  /** Null if it answers no other comment. */
  reply_to: z.string().nullable(),
  /** Written by someone else, and not yet marked as seen by you. */
  is_new: z.boolean(),
});

export const COMMENT_API = {
  "GET /api/comments": {
    permission: "read",
    summary: "Lists the comments on a batch or payout, oldest first",
    query: z.strictObject(subject).refine(hasOneSubject, ONE_SUBJECT),
    answer: z.object({ items: z.array(Comment), unread: z.int() }),
  },
  "POST /api/comments": {
    permission: "read",
    creates: true,
    summary:
      "Adds a permanent comment to a batch or payout; users whose names it mentions as @Name are notified",
    body: z
      .strictObject({
        ...subject,
        text: multiLineText(1, COMMENT_LENGTH_MAX),
        reply_to: CommentId.optional(),
      })
      .refine(hasOneSubject, ONE_SUBJECT),
    answer: Comment,
  },
  "POST /api/comments/seen": {
    permission: "read",
    keys: false,
    summary:
      "Marks the comments on a batch or payout as seen, up to and including the given comment",
    body: z.strictObject({ ...subject, up_to: CommentId }).refine(hasOneSubject, ONE_SUBJECT),
    answer: "nothing",
  },
  "GET /api/comments/people": {
    permission: "read",
    summary: "Lists the users whom a comment can mention",
    answer: z.object({ items: z.array(MentionedUser) }),
  },
} as const satisfies Record<string, ApiOperation>;
