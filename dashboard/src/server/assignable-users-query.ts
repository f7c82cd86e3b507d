import { queryOptions } from "@tanstack/react-query";
import { call } from "./client.ts";

/** Loads the users to whom failures, payouts and breaks can be assigned. */
export const assignableUsersQuery = queryOptions({
  queryKey: ["GET /api/failures/people"],
  queryFn: ({ signal }) => call("GET /api/failures/people", { signal }),
  staleTime: 60_000,
});
