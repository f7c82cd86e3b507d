import { queryOptions } from "@tanstack/react-query";
import { type Answer, call } from "../../server/client.ts";
import { queryClient } from "../../server/query-client.ts";

/** A break as its page shows it. */
export type BreakView = Answer<"GET /api/breaks/:id">;

/** Loads a break by its number. */
export const breakQuery = (id: number) =>
  queryOptions({
    queryKey: ["GET /api/breaks/:id", id],
    queryFn: ({ signal }) => call("GET /api/breaks/:id", { params: { id }, signal }),
  });

/** Shows the break as returned by an action, and loads the list again when it is opened. */
export function cacheBreak(next: BreakView): void {
  queryClient.setQueryData(breakQuery(next.id).queryKey, next);
  void queryClient.invalidateQueries({ queryKey: ["GET /api/breaks"] });
}
