import { queryOptions } from "@tanstack/react-query";
import { type Answer, call } from "../../server/client.ts";
import { refetchIfRunning, queryClient } from "../../server/query-client.ts";

/** A payout as its page shows it. */
export type PayoutView = Answer<"GET /api/payouts/:code">;

/** The number and sums of the payouts found. */
export type PayoutSummary = Answer<"GET /api/payout-summary">;

/** Loads a payout by its code. */
export const payoutQuery = (code: string) =>
  queryOptions({
    queryKey: ["GET /api/payouts/:code", code],
    queryFn: ({ signal }) => call("GET /api/payouts/:code", { params: { code }, signal }),
  });

/** The records that prove the course of a payout. */
export type PayoutEvidence = Answer<"GET /api/payouts/:code/evidence">;

/** Loads the evidence of a payout. Each visit loads it again. */
export const evidenceQuery = (code: string) =>
  queryOptions({
    queryKey: ["GET /api/payouts/:code/evidence", code],
    queryFn: ({ signal }) => call("GET /api/payouts/:code/evidence", { params: { code }, signal }),
    staleTime: 0,
  });

/** Shows the payout as returned by an action or by the live stream. */
export function cachePayout(next: PayoutView): void {
  const query = payoutQuery(next.code);
  queryClient.setQueryData(query.queryKey, next);
  refetchIfRunning(query);
}
