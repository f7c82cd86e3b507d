import { queryOptions } from "@tanstack/react-query";
import { type Answer, call } from "../../server/client.ts";

/** The subject of comments: a batch by its ID, or a payout by its transaction code. */
export type CommentSubject = { readonly batch: string } | { readonly payout: string };

/** A comment with its author, mentions and the comment that it answers. */
export type Comment = Answer<"GET /api/comments">["items"][number];

const REFRESH_MS = 30_000;

/** Loads the comments on a batch or payout, again every 30 seconds. `unread` is for a badge. */
export const commentsQuery = (subject: CommentSubject) =>
  queryOptions({
    queryKey: ["GET /api/comments", subject],
    queryFn: ({ signal }) => call("GET /api/comments", { query: subject, signal }),
    refetchInterval: REFRESH_MS,
  });

/** Loads the users whom a comment can mention. */
export const mentionableUsersQuery = queryOptions({
  queryKey: ["GET /api/comments/people"],
  queryFn: ({ signal }) => call("GET /api/comments/people", { signal }),
  staleTime: 300_000,
});
