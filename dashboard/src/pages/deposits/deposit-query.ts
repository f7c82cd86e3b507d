import { queryOptions } from "@tanstack/react-query";
import { type Answer, call } from "../../client.ts";

export type DepositView = Answer<"GET /api/deposits/:code">;

export const depositQuery = (code: string) =>
  queryOptions({
    queryKey: ["GET /api/deposits/:code", code],
    queryFn: ({ signal }) => call("GET /api/deposits/:code", { params: { code }, signal }),
  });
