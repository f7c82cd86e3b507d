import { queryOptions } from "@tanstack/react-query";
import { type Answer, call, type Input } from "../../server/client.ts";

/** A bulk action: its preview, and its result once it was applied. */
export type PayoutAction = Answer<"GET /api/payout-actions/:id">;

/** A payout of a bulk action, with its outcome. */
export type ActionPayout = Answer<"GET /api/payout-actions/:id/payouts">["items"][number];

/** The name of a bulk action. */
export type ActionName = PayoutAction["action"];

type Body = NonNullable<Input<"POST /api/payout-actions">["body"]>;

/** The filters of a list of payouts, as the API expects them. */
export type PayoutFilter = NonNullable<Body["filter"]>;

/** The payouts that an action is for: all that a filter finds, or the named ones. */
export type Selection = { readonly filter: PayoutFilter } | { readonly codes: string[] };

/** Loads a bulk action by its ID. */
export const payoutActionQuery = (id: string) =>
  queryOptions({
    queryKey: ["GET /api/payout-actions/:id", id],
    queryFn: ({ signal }) => call("GET /api/payout-actions/:id", { params: { id }, signal }),
  });

/** Loads the bulk actions that await the confirmation of an approver, again every ten seconds. */
export const proposedActionsQuery = queryOptions({
  queryKey: ["GET /api/payout-actions", "proposed"],
  queryFn: ({ signal }) =>
    call("GET /api/payout-actions", { query: { state: "proposed" }, signal }),
  refetchInterval: 10_000,
});
