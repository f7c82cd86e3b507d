import { queryOptions } from "@tanstack/react-query";
import { call } from "../server/client.ts";
import { recordServerTime } from "../base/server-time.ts";

/**
 * The data of the frame around every page: gateway status, server time and the number of the
 * reader's tasks.
 */
export const frameQuery = queryOptions({
  queryKey: ["GET /api/frame"],
  queryFn: async ({ signal }) => {
    const askedMs = Date.now();
    const frame = await call("GET /api/frame", { signal });
    return { ...frame, aheadMs: recordServerTime(frame.at, askedMs) };
  },
  refetchInterval: 10_000,
});
