import type { PayoutFilter as Asked } from "#api/payout/payout-filter.ts";
import { Problem } from "#api/app/problems.ts";
import { openAccount } from "#views/payout/sealed-account.ts";
import type { AwaitingKind, PayoutFilter } from "#ledger/payout/search/payout-filter.ts";
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
    blocked,
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
    ...statesOf({ state, drafts, blocked }),
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

const isAwaiting = (state: string): state is "draft" | "blocked" =>
  state === "draft" || state === "blocked";

/** Returns the states of a request, and which of the payouts awaiting approval it asks for. */
function statesOf({
  state,
  drafts,
  blocked,
}: Pick<Asked, "state" | "drafts" | "blocked">): Pick<PayoutFilter, "states" | "awaiting"> {
  if (state === undefined) {
    return drafts === undefined ? {} : { awaiting: ["blocked", "waiting"] };
  }
  const states = [...new Set(state.map((each) => (isAwaiting(each) ? "awaiting_approval" : each)))];
  const awaiting = awaitingOf(state, blocked);
  const isAll = awaiting.length === 3 || !states.includes("awaiting_approval");
  return { states, awaiting: isAll ? undefined : awaiting };
}

/** Returns the kinds of payouts awaiting approval among the states of a request. */
function awaitingOf(
  state: NonNullable<Asked["state"]>,
  blocked: Asked["blocked"],
): readonly AwaitingKind[] {
  const isAsked = state.includes("awaiting_approval");
  const withBlocked = state.includes("blocked") || (isAsked && blocked === undefined);
  return [
    ...(state.includes("draft") ? (["draft"] as const) : []),
    ...(withBlocked ? (["blocked"] as const) : []),
    ...(isAsked ? (["waiting"] as const) : []),
  ];
}

/** Returns the limits of a period filter. Undefined: not filtered. */
export const between = (from: string | undefined, to: string | undefined) =>
  from === undefined && to === undefined
    ? undefined
    : { from: from ? new Date(from) : undefined, to: to ? new Date(to) : undefined };
