import { queryOptions } from "@tanstack/react-query";
import { type Answer, call } from "../../client.ts";

export type PayoutView = Answer<"GET /api/payouts/:code">;

export const payoutQuery = (code: string) =>
  queryOptions({
    queryKey: ["GET /api/payouts/:code", code],
    queryFn: ({ signal }) => call("GET /api/payouts/:code", { params: { code }, signal }),
  });
