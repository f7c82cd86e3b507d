import { queryOptions } from "@tanstack/react-query";
import { type Answer, call } from "../../server/client.ts";

/** How far a lane is reconciled. */
export type ReconciledLane = Answer<"GET /api/reconciliation-lanes">["items"][number];

/** Loads how far each lane is reconciled. */
export const lanesQuery = queryOptions({
  queryKey: ["GET /api/reconciliation-lanes"],
  queryFn: ({ signal }) => call("GET /api/reconciliation-lanes", { signal }),
});

/** Whether a statement has been compared, or the days of the lane are closed. */
export const isStarted = ({ last_statement: statement, first_day: day }: ReconciledLane): boolean =>
  statement !== null || day !== null;
