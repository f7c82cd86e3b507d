import { sql } from "kysely";
import type { Database } from "#ledger/database.ts";
import { lookedFor, NO_BANK, type PayoutFilter } from "#ledger/payout-filter.ts";
import {
  type ListedPayout,
  listPayouts,
  type PayoutPage,
  type PayoutPlace,
} from "#ledger/payouts.ts";
import type { Sealer } from "#ledger/sealed.ts";
import { moneyOf } from "#ledger/tables.ts";
import type { Money } from "#money/money.ts";
import { type FailingState, PUT_OFF } from "#payout/causes.ts";

/** Payouts of one state that share cause, currency and bank. */
export interface FailureGroup {
  readonly state: FailingState;
  /** As the filter of payouts takes it. */
  readonly reason: string | null;
  readonly bank: string;
  readonly sum: Money;
  readonly count: number;
  readonly oldestAt: Date;
  readonly newestAt: Date;
  readonly example: string;
}

export type FailureFilter = Omit<PayoutFilter, "states">;

/** Of approved payouts only those that were put off: the others are in nobody's way. */
function filterOf(state: FailingState, filter: FailureFilter): PayoutFilter | null {
  if (state !== "approved") return { ...filter, states: [state] };
  const { reason = PUT_OFF } = filter;
  return reason.startsWith(PUT_OFF) ? { ...filter, states: [state], reason } : null;
}

/** An approved payout of p that nothing has put off. */
export const notPutOff = sql`(p.state = 'approved' and split_part(coalesce(p.reason, ''), ':', 1) <> ${PUT_OFF})`;

/**
 * What was put off is found by its reason alone: right after a large approval the statistics still say that nothing is
 * approved, and by its state a whole batch would be read. An index is not asked for what stands before `is true`.
 */
const isIn = (state: FailingState) =>
  state === "approved" ? sql`(p.state = ${state}) is true` : sql`p.state = ${state}`;

/** The causes whose text comes from our own table of answers: few, and each repaired in another way. */
const TOLD_APART = ["refused", PUT_OFF];

/** What is kept of a reason to tell causes apart, of payouts p. */
export const CAUSE = sql<string | null>`
  case when split_part(p.reason, ':', 1) = any(${TOLD_APART}) then p.reason else split_part(p.reason, ':', 1) end`;

/** What CAUSE is in SQL, for a reason that was read already. */
export const causeIn = (reason: string | null): string | null => {
  const [code = ""] = reason?.split(":", 1) ?? [];
  return reason === null || TOLD_APART.includes(code) ? reason : code;
};

/** A doubt is as old as the last sending. */
const BEGUN = sql<Date>`
  case when p.state = 'in_doubt' then coalesce(p.last_sent_at, p.updated_at) else p.updated_at end`;

/** The groups that a filter leaves, the largest first. */
export async function failureGroups(
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
  const looked = filter && (await lookedFor(database, sealer, filter));
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
      select ${CAUSE} as reason,
        p.currency, p.minor_digits, d.bank, count(*)::int as count, sum(p.amount_minor) as amount_minor,
        min(${BEGUN}) as oldest, max(${BEGUN}) as newest, max(p.id) as id
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

/** The payouts themselves, state by state, the newest first. */
export async function* failedPayouts(
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
