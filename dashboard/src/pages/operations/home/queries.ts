import { queryOptions } from "@tanstack/react-query";
import { type Answer, call } from "../../../server/client.ts";

/** The data of the home page. */
export type Home = Answer<"GET /api/home">;

/** The live document does not contain the alarms of operators, so the page is also polled. */
const ALARMS_EVERY_MS = 10_000;

/** Loads the data of the home page, again every ten seconds. */
export const homeQuery = queryOptions({
  queryKey: ["GET /api/home"],
  queryFn: ({ signal }) => call("GET /api/home", { signal }),
  refetchInterval: ALARMS_EVERY_MS,
});
