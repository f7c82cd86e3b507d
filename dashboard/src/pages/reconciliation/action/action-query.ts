import { queryOptions } from "@tanstack/react-query";
import { type Answer, call } from "../../../server/client.ts";

/** A selected break of an action, with its outcome. */
export type ActionBreak = Answer<"GET /api/break-actions/:id/breaks">["items"][number];

/** Loads an action on several breaks by its ID. */
export const breakActionQuery = (id: string) =>
  queryOptions({
    queryKey: ["GET /api/break-actions/:id", id],
    queryFn: ({ signal }) => call("GET /api/break-actions/:id", { params: { id }, signal }),
  });

const RECENT = 5;

/** Loads the actions that were applied last. */
export const recentActionsQuery = queryOptions({
  queryKey: ["GET /api/break-actions"],
  queryFn: ({ signal }) => call("GET /api/break-actions", { query: { limit: RECENT }, signal }),
});
