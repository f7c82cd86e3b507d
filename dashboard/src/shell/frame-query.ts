import { queryOptions } from "@tanstack/react-query";
import { call } from "../client.ts";
import { hearServerTime } from "../server-time.ts";

/** What stands around every page, in one question: the light, the time, and how much waits for whoever looks. */
export const frameQuery = queryOptions({
  queryKey: ["GET /api/frame"],
  queryFn: async ({ signal }) => {
    const askedMs = Date.now();
    const frame = await call("GET /api/frame", { signal });
    return { ...frame, aheadMs: hearServerTime(frame.at, askedMs) };
  },
  refetchInterval: 10_000,
});
