import type { PayoutFilter as Asked } from "#api/payout/payout-filter.ts";
import { Problem } from "#api/app/problems.ts";
import { openAccount } from "#views/payout/sealed-account.ts";
import type { PayoutFilter } from "#ledger/payout/search/payout-filter.ts";
import { findChangedAgainstPrevious } from "#ledger/approval/comparison.ts";
import type { ServerDeps } from "#views/deps.ts";
import { amountsOf } from "#payout/search.ts";

/** The filters that are only meaningful within one batch. */
const WITHIN_BATCH = ["line", "compared"] as const;

/**
 * Returns the filter of the ledger for the filters of a request.
 *
 * @throws Problem if a filter is given without its batch.
 */
export async function filterOf(
  { compared, ...asked }: Asked,
  { database, sealer }: Pick<ServerDeps, "database" | "sealer">,
): Promise<PayoutFilter> {
  const alone = WITHIN_BATCH.find((name) => ({ ...asked, compared })[name] !== undefined);
  if (alone !== undefined && asked.batch === undefined) {
    const places = [{ place: `query.${alone}`, message: "requires the batch filter" }];
    throw new Problem("invalid_request", { places });
  }
  const {
    batch,
    state,
    drafts,
    amount,
    account,
    account_last4,
    gateway_number,
    user_id,
    retry_result,
    ...same
  } = asked;
  const amounts = amount === undefined ? undefined : amountsOf(amount);
  return {
    ...same,
    batchId: batch,
    ids: batch && compared ? await findChangedAgainstPrevious(database, batch) : undefined,
    ...statesOf(state, drafts),
    account: account === undefined ? undefined : openAccount(sealer, account),
    amountFrom: amounts?.from ?? asked.amount_from,
    amountTo: amounts?.to ?? asked.amount_to,
    accountLast4: account_last4,
    gatewayNumber: gateway_number,
    userId: user_id,
    retryResult: retry_result,
    created: between(asked.created_from, asked.created_to),
    sent: between(asked.sent_from, asked.sent_to),
    settled: between(asked.settled_from, asked.settled_to),
    changed: between(asked.changed_from, asked.changed_to),
  };
}

/** Returns the states of a request, and whether drafts are among the payouts awaiting approval. */
function statesOf(
  state: Asked["state"],
  drafts: Asked["drafts"],
): Pick<PayoutFilter, "states" | "drafts"> {
  if (state === undefined) return { drafts };
  const states = [...new Set(state.map((each) => (each === "draft" ? "awaiting_approval" : each)))];
  const isDraftAsked = state.includes("draft");
  if (isDraftAsked === state.includes("awaiting_approval")) return { states };
  return { states, drafts: isDraftAsked ? "only" : "none" };
}

/** Returns the limits of a period filter. Undefined: not filtered. */
export const between = (from: string | undefined, to: string | undefined) =>
  from === undefined && to === undefined
    ? undefined
    : { from: from ? new Date(from) : undefined, to: to ? new Date(to) : undefined };
