import type { FastifyInstance } from "fastify";
import type { PayoutFilter as Asked } from "#api/payout/payout-filter.ts";
import { recordAccountView } from "#http/intake/account-access.ts";
import { refuseAccountFilter } from "#http/payout/account-filter.ts";
import { filterOf } from "#http/payout/payout-filters.ts";
import { findDailyFees } from "#ledger/payout/lane/daily-fees.ts";
import { route } from "#http/server/routes.ts";
import { sendFile } from "#http/server/send-file.ts";
import type { PayoutFilter } from "#ledger/payout/search/payout-filter.ts";
import {
  findStateCounts,
  type PayoutSum,
  type StateCount,
  SUMMED_MAX,
  sumPayouts,
} from "#ledger/payout/search/payout-summary.ts";
import { amountOf, formatMoney } from "#money/format.ts";
import type { Money } from "#money/money.ts";
import type { ServerDeps } from "#views/deps.ts";
import { payoutRecords } from "#views/payout/payout-file.ts";
import type { Person } from "#views/person.ts";

/** Registers the routes for the sums, the fees and the file of the list of payouts. */
export function payoutListRoutes(app: FastifyInstance, deps: ServerDeps): void {
  const { database } = deps;

  route(app, deps, "GET /api/payout-summary", async ({ query, person }) => {
    if (query.account !== undefined) refuseAccountFilter(person);
    // A count would confirm a guess at a masked account within a reference.
    const { sums, states } = isGuess(query, person)
      ? { sums: null, states: null }
      : await summarize(deps, await filterOf(query, deps));
    const found = sums?.filter(({ state }) => isAsked(query, state)) ?? [];
    return {
      count: sums && countOf(found),
      count_max: SUMMED_MAX,
      totals: totalsOf(found),
      retried: found.reduce((sum, { retried }) => sum + retried, 0),
      states: statesOf(states ?? []),
      blocked: states && countOf(states.filter(({ state }) => state === "blocked")),
    };
  });

  route(app, deps, "GET /api/fees", async ({ query }) => ({
    items: (await findDailyFees(database, { ...query, zone: "UTC" })).flatMap(
      ({ day, lane, payouts, fee }) => (fee ? [{ day, lane, payouts, ...amountOf(fee) }] : []),
    ),
  }));

  route(app, deps, "GET /api/payout-export", async ({ query, person, reply }) => {
    const { format, sort, ...asked } = query;
    if (asked.account !== undefined) refuseAccountFilter(person);
    const filter = await filterOf(asked, deps);
    const isShown = isGuess(asked, person) ? hasReference(asked.reference ?? "") : () => true;
    // The audit log keeps which filters were set, but no names and numbers of beneficiaries.
    const facts = { format, filters: Object.keys(asked) };
    await recordAccountView(deps, person, "download_payouts", "payouts", facts);
    // A payout that changes while the file is written would leave its place in this order.
    const order = sort === "changed" ? "newest" : sort;
    const records = payoutRecords(deps, filter, order, isShown);
    return sendFile(reply, "payouts", format, records, ",");
  });
}

/**
 * Returns the sums of the payouts that match a filter, which may include other states, and the
 * number of payouts in every state. They are null if there are more than SUMMED_MAX payouts, the
 * states only if no counts are stored for the filter.
 */
async function summarize(
  { database, sealer }: ServerDeps,
  filter: PayoutFilter,
): Promise<{ sums: readonly PayoutSum[] | null; states: readonly StateCount[] | null }> {
  const { states: asked, ...others } = filter;
  const stored = await findStateCounts(database, others);
  const isLarge = stored !== null && countOf(stored) > SUMMED_MAX;
  const all = isLarge ? null : await sumPayouts(database, sealer, others);
  if (all) return { sums: all, states: all };
  const sums = asked === undefined ? null : await sumPayouts(database, sealer, filter);
  return { sums, states: stored };
}

/** The person searches by a reference that the list may show masked. */
const isGuess = ({ reference }: Asked, { permissions }: Person): boolean =>
  reference !== undefined && !permissions.has("reveal");

/** The shown reference is the one searched for. */
export const hasReference = (reference: string) => {
  const plain = (text: string | null): string => (text ?? "").trim().toLowerCase();
  return (payout: { readonly reference: string | null }): boolean =>
    plain(payout.reference) === plain(reference);
};

/** Whether the filters for states find a payout in this state. */
function isAsked({ state, drafts, blocked }: Asked, of: PayoutSum["state"]): boolean {
  if (state === undefined) return of !== "draft" || drafts === undefined;
  const isOfAwaiting = of === "blocked" && blocked === undefined;
  return state.includes(of) || (isOfAwaiting && state.includes("awaiting_approval"));
}

const countOf = (sums: readonly StateCount[]): number =>
  sums.reduce((sum, { payouts }) => sum + payouts, 0);

/** One total per currency. */
function totalsOf(sums: readonly PayoutSum[]) {
  const totals = new Map<string, { money: Money; payouts: number }>();
  for (const { money, payouts } of sums) {
    const known = totals.get(money.currency);
    const minor = money.minor + (known?.money.minor ?? 0n);
    totals.set(money.currency, {
      money: { ...money, minor },
      payouts: payouts + (known?.payouts ?? 0),
    });
  }
  return [...totals.values()].map(({ money, payouts }) => ({
    currency: money.currency,
    amount: formatMoney(money),
    payouts,
  }));
}

function statesOf(sums: readonly StateCount[]) {
  const counts = new Map<Exclude<PayoutSum["state"], "blocked">, number>();
  for (const { state: found, payouts } of sums) {
    const state = found === "blocked" ? "awaiting_approval" : found;
    counts.set(state, (counts.get(state) ?? 0) + payouts);
  }
  return [...counts].map(([state, payouts]) => ({ state, payouts }));
}
