import { queryOptions } from "@tanstack/react-query";
import { type Answer, call } from "../../../server/client.ts";

export type Home = Answer<"GET /api/home">;

/** The live document does not contain the alarms of operators, so the page is also polled. */
const ALARMS_EVERY_MS = 10_000;

export const homeQuery = queryOptions({
  queryKey: ["GET /api/home"],
  queryFn: ({ signal }) => call("GET /api/home", { signal }),
  refetchInterval: ALARMS_EVERY_MS,
});
