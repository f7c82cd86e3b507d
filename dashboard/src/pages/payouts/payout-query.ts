import { queryOptions } from "@tanstack/react-query";
import { type Answer, call } from "../../client.ts";
import { queryClient } from "../../query-client.ts";

export type PayoutView = Answer<"GET /api/payouts/:code">;

export const payoutQuery = (code: string) =>
  queryOptions({
    queryKey: ["GET /api/payouts/:code", code],
    queryFn: ({ signal }) => call("GET /api/payouts/:code", { params: { code }, signal }),
  });

/** As an action has answered it, or the stream has told it. */
export const keepPayout = (next: PayoutView): void =>
  void queryClient.setQueryData(payoutQuery(next.code).queryKey, next);
