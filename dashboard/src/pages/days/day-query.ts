import { queryOptions } from "@tanstack/react-query";
import { type Answer, call } from "../../server/client.ts";
import { queryClient } from "../../server/query-client.ts";

/** A business day as its page shows it. */
export type DayView = Answer<"GET /api/days/:day">;

/** A day of a lane, and optionally an earlier version. */
export interface AskedDay {
  readonly day: string;
  readonly lane: string;
  readonly version?: number;
}

/** Loads a day of a lane. */
export const dayQuery = ({ day, lane, version }: AskedDay) =>
  queryOptions({
    queryKey: ["GET /api/days/:day", day, lane, version ?? null],
    queryFn: ({ signal }) =>
      call("GET /api/days/:day", {
        params: { day },
        query: { lane, ...(version !== undefined && { version }) },
        signal,
      }),
  });

/** Shows the day as returned by an action, and loads the calendar again when it is opened. */
export function cacheDay(next: DayView): void {
  const { day, lane } = next;
  queryClient.setQueryData(dayQuery({ day, lane }).queryKey, next);
  void queryClient.invalidateQueries({ queryKey: ["GET /api/days"] });
  void queryClient.invalidateQueries({ queryKey: ["GET /api/reconciliation-lanes"] });
}
