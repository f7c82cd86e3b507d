import { queryOptions } from "@tanstack/react-query";
import { type Answer, call } from "../../server/client.ts";
import { refetchIfRunning, queryClient } from "../../server/query-client.ts";

/** A deposit as its page shows it. */
export type DepositView = Answer<"GET /api/deposits/:code">;

/** Loads a deposit by its code. */
export const depositQuery = (code: string) =>
  queryOptions({
    queryKey: ["GET /api/deposits/:code", code],
    queryFn: ({ signal }) => call("GET /api/deposits/:code", { params: { code }, signal }),
  });

/** Shows the deposit as returned by an action or by the live stream. */
export function cacheDeposit(next: DepositView): void {
  const query = depositQuery(next.code);
  queryClient.setQueryData(query.queryKey, next);
  refetchIfRunning(query);
}
