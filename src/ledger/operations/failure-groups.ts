import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import {
  payoutConditions,
  NO_BANK,
  type PayoutFilter,
} from "#ledger/payout/search/payout-filter.ts";
import {
  type ListedPayout,
  listPayouts,
  type PayoutPage,
  type PayoutPlace,
} from "#ledger/payout/search/payouts.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { moneyOf } from "#ledger/store/tables.ts";
import type { Money } from "#money/money.ts";
import { type FailingState, DEFERRED } from "#payout/failure-explanations.ts";

/** Payouts of one state with the same reason, currency and bank. */
export interface FailureGroup {
  readonly state: FailingState;
  /** In the form that the payout filter accepts. */
  readonly reason: string | null;
  readonly bank: string;
  readonly sum: Money;
  readonly count: number;
  readonly oldestAt: Date;
  readonly newestAt: Date;
  readonly example: string;
}

export type FailureFilter = Omit<PayoutFilter, "states">;

/**
 * Returns the filter of a state. Of approved payouts only deferred ones count as failures, because
 * the others need no attention. Null: the filter excludes them.
 */
function filterOf(state: FailingState, filter: FailureFilter): PayoutFilter | null {
  if (state !== "approved") return { ...filter, states: [state] };
  const { reason = DEFERRED } = filter;
  return reason.startsWith(DEFERRED) ? { ...filter, states: [state], reason } : null;
}

/** Condition that a payout `p` is approved and not deferred. */
export const IS_NOT_DEFERRED = sql`(p.state = 'approved' and split_part(coalesce(p.reason, ''), ':', 1) <> ${DEFERRED})`;

/**
 * Condition on the state. Deferred payouts are found by their reason alone: directly after a large
 * approval, the statistics still show no approved payouts, and a search by state would read a whole
 * batch. PostgreSQL uses no index for a condition before `is true`.
 */
const isIn = (state: FailingState) =>
  state === "approved" ? sql`(p.state = ${state}) is true` : sql`p.state = ${state}`;

/**
 * Reasons whose text comes from payrun's own table of answers. They are few, and each has its own
 * remedy.
 */
const GROUPED_BY_TEXT = ["refused", DEFERRED];

/** The part of a reason that distinguishes failure groups, for payouts `p`. */
export const FAILURE_REASON = sql<string | null>`
  case when split_part(p.reason, ':', 1) = any(${GROUPED_BY_TEXT}) then p.reason else split_part(p.reason, ':', 1) end`;

/** Returns what CAUSE returns in SQL, for a reason that was read already. */
export const failureReasonOf = (reason: string | null): string | null => {
  const [code = ""] = reason?.split(":", 1) ?? [];
  return reason === null || GROUPED_BY_TEXT.includes(code) ? reason : code;
};

/** Start of the failure. A payout has been in doubt since it was last sent. */
const FAILED_AT = sql<Date>`
  case when p.state = 'in_doubt' then coalesce(p.last_sent_at, p.updated_at) else p.updated_at end`;

/** Returns the failure groups that match a filter, the largest first. */
export async function findFailureGroups(
  database: Database,
  sealer: Sealer,
  states: readonly FailingState[],
  filter: FailureFilter,
): Promise<FailureGroup[]> {
  const found = await Promise.all(
    states.map((state) => groupsOf(database, sealer, state, filterOf(state, filter))),
  );
  return found.flat().sort((one, other) => other.count - one.count);
}

async function groupsOf(
  database: Database,
  sealer: Sealer,
  state: FailingState,
  filter: PayoutFilter | null,
): Promise<FailureGroup[]> {
  const looked = filter && (await payoutConditions(database, sealer, filter));
  if (!looked) return [];
  const { rows } = await sql<{
    reason: string | null;
    currency: string;
    minor_digits: number;
    bank: string | null;
    count: number;
    amount_minor: string;
    oldest: Date;
    newest: Date;
    example: string;
  }>`
    select g.*, d.transaction_code as example from (
      select ${FAILURE_REASON} as reason,
        p.currency, p.minor_digits, d.bank, count(*)::int as count, sum(p.amount_minor) as amount_minor,
        min(${FAILED_AT}) as oldest, max(${FAILED_AT}) as newest, max(p.id) as id
      from ${looked.from}
      where ${sql.join([isIn(state), ...looked.where], sql` and `)}
      group by 1, 2, 3, 4
    ) g join payout_details d on d.payout_id = g.id
    order by g.count desc, g.id`.execute(database);
  return rows.map((row) => ({
    state,
    reason: row.reason,
    bank: row.bank ?? NO_BANK,
    sum: moneyOf(row),
    count: row.count,
    oldestAt: row.oldest,
    newestAt: row.newest,
    example: row.example,
  }));
}

const PAGE = 1_000;

/** Yields the payouts themselves, state by state, newest first. */
export async function* findFailedPayouts(
  database: Database,
  sealer: Sealer,
  states: readonly FailingState[],
  filter: FailureFilter,
): AsyncGenerator<ListedPayout & { readonly state: FailingState }> {
  for (const state of states) {
    const asked = filterOf(state, filter);
    if (!asked) continue;
    let after: PayoutPlace | null = null;
    do {
      const page = { sort: "newest", limit: PAGE, after } as const;
      const { items, next }: PayoutPage = await listPayouts(
        database,
        sealer,
        asked,
        page,
        "uncounted",
      );
      for (const payout of items) yield { ...payout, state };
      after = next;
    } while (after !== null);
  }
}
