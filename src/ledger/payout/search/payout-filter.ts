import { type RawBuilder, sql } from "kysely";
import { IS_BLOCKED } from "#ledger/approval/policy/blocked-batches.ts";
import { accountIs } from "#ledger/payout/search/account-filter.ts";
import {
  type AmountRange,
  amountWithin,
  findFewWithin,
} from "#ledger/payout/search/amount-filter.ts";
import {
  type Between,
  findFewSettled,
  settledWithin,
  timeWithin,
} from "#ledger/payout/search/settled-filter.ts";
import { RETRY_RESULT_CONDITIONS } from "#ledger/payout/lane/retry-results.ts";
import { idOfLine } from "#ledger/payout/search/line-filter.ts";
import type { Database } from "#ledger/store/database.ts";
import { likeText } from "#postgres/like.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { userKeyOf } from "#ledger/intake/retries/user-key.ts";
import { findPayoutIdsByTerm, tailKey } from "#ledger/intake/search-terms.ts";
import type { PayoutState } from "#payout/payout-lifecycle.ts";
import type { RetryResult } from "#payout/retry-rule.ts";
import { interpretSearch } from "#payout/search.ts";

/** Search conditions for payouts; all of them must hold. Amounts are decimal text. */
export interface PayoutFilter {
  /** A search text; one of its interpretations must match. It does not find account numbers. */
  readonly text?: string | undefined;
  readonly batchId?: string | undefined;
  readonly ids?: readonly number[] | undefined;
  /** Requires `batchId`. */
  readonly line?: number | undefined;
  readonly code?: string | undefined;
  readonly states?: readonly PayoutState[] | undefined;
  /** The kinds of payouts awaiting approval that are not left out. Undefined: all. */
  readonly awaiting?: readonly AwaitingKind[] | undefined;
  readonly reason?: string | undefined;
  readonly retryResult?: RetryResult | undefined;
  readonly currency?: string | undefined;
  readonly lane?: string | undefined;
  readonly amountFrom?: string | undefined;
  readonly amountTo?: string | undefined;
  readonly account?: string | undefined;
  readonly accountDigest?: Buffer | undefined;
  readonly accountLast4?: string | undefined;
  readonly name?: string | undefined;
  readonly reference?: string | undefined;
  readonly gatewayNumber?: string | undefined;
  /** The merchant's ID of the user, exactly as in the file. */
  readonly userId?: string | undefined;
  readonly bank?: string | undefined;
  readonly created?: Between | undefined;
  readonly sent?: Between | undefined;
  /** When the gateway reported it as completed. */
  readonly settled?: Between | undefined;
  readonly changed?: Between | undefined;
}

type Condition = RawBuilder<unknown>;

/** Condition that payout `p` belongs to a batch that was not sent for approval. */
const IS_DRAFT: RawBuilder<boolean> = sql<boolean>`(p.state = 'awaiting_approval'
  and p.batch_id in (select id from batches where state in ('draft', 'needs_correction')))`;

/** Condition that payout `p` belongs to a batch that exact duplicates block. */
const IS_BLOCKED_PAYOUT: RawBuilder<boolean> = sql<boolean>`(p.state = 'awaiting_approval'
  and p.batch_id in (select b.id from batches b where ${IS_BLOCKED}))`;

/** The state of payout `p` in filters, which separate kinds of payouts awaiting approval. */
export const FILTERED_STATE: RawBuilder<unknown> = sql`case when ${IS_DRAFT} then 'draft'
  when ${IS_BLOCKED_PAYOUT} then 'blocked' else p.state end`;

/** Returns the condition that payout `p` is in one of these states, if there are any. */
export const isInState = (states: readonly PayoutState[] | undefined): readonly Condition[] =>
  states ? [sql`p.state = any(${[...states]})`] : [];

/** A payout awaiting approval: of a batch not sent for approval, of a blocked one, or another. */
export type AwaitingKind = "draft" | "blocked" | "waiting";

/** Returns the condition that a payout awaiting approval is of one of these kinds. */
const isOfKind = (kinds: readonly AwaitingKind[]): readonly Condition[] => [
  ...(kinds.includes("draft") ? [] : [sql`not ${IS_DRAFT}`]),
  ...(kinds.includes("blocked") ? [] : [sql`not ${IS_BLOCKED_PAYOUT}`]),
  ...(kinds.includes("waiting")
    ? []
    : [sql`(p.state <> 'awaiting_approval' or ${IS_DRAFT} or ${IS_BLOCKED_PAYOUT})`]),
];

type Given<Name extends keyof PayoutFilter> = NonNullable<PayoutFilter[Name]>;
interface FilterContext {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly filter: PayoutFilter;
}

const amountRange = ({ amountFrom, amountTo }: PayoutFilter): AmountRange => ({
  from: amountFrom,
  to: amountTo,
});

/**
 * Limits the search to the ids of the payouts of certain batches, so that no other batch is read.
 * The ids are given as numbers: PostgreSQL can only guess the result of a subquery, and would read
 * the whole table.
 */
async function within(
  database: Database,
  which: Condition,
  conditions: readonly Condition[],
): Promise<readonly Condition[] | null> {
  const { rows } = await sql<{ first: number | null; last: number | null }>`
    select min(b.first_id) as first, max(b.last_id) as last from batches b where ${which}`.execute(
    database,
  );
  const { first, last } = rows[0] ?? { first: null, last: null };
  if (first === null || last === null) return null;
  return [...conditions, sql`p.id between ${first} and ${last}`];
}

/** No payout of a batch is sent or settled before its approval or after it has finished. */
const isSending = ({ from, to }: Between): Condition =>
  sql`b.approved_at <= ${to ?? sql`now()`} and (b.finished_at is null or b.finished_at >= ${finishedFrom(from)})`;

/** Different clocks may record the settlement of a payout and the end of its batch. */
const CLOCK_SKEW_MS = 3_600_000;
const finishedFrom = (from: Date | undefined): Date =>
  new Date(from ? from.getTime() - CLOCK_SKEW_MS : 0);

/** Represents payouts without a bank. */
export const NO_BANK = "-";

/** Fields whose payouts are found by ids that are looked up first. */
type Listed = "ids" | "name" | "reference";

/**
 * Returns the conditions for each field. Null: no payout can match. States are handled separately
 * (payouts.ts).
 */
const FIELDS: {
  readonly [Name in Exclude<keyof PayoutFilter, "text" | "states" | "settled" | Listed>]-?: (
    given: Given<Name>,
    looking: FilterContext,
  ) => readonly Condition[] | null | Promise<readonly Condition[] | null>;
} = {
  batchId: (id, { database }) => within(database, sql`b.id = ${id}`, [sql`p.batch_id = ${id}`]),
  line: async (line, { database, filter }) => {
    const id = await idOfLine(database, filter.batchId ?? "", line);
    return id === null ? null : [sql`p.id = ${id}`];
  },
  code: (code) => [sql`d.transaction_code like ${`${likeText(code)}%`}`],
  awaiting: isOfKind,
  // Either a code alone, or a code with its details.
  reason: (reason) => [
    sql`p.reason is not null and split_part(p.reason, ':', 1) = ${reason.split(":", 1)[0]}`,
    ...(reason.includes(":") ? [sql`p.reason = ${reason}`] : []),
  ],
  retryResult: (result) => [RETRY_RESULT_CONDITIONS[result]],
  currency: (currency, { database }) =>
    within(database, sql`b.id in (select batch_id from batch_lanes where currency = ${currency})`, [
      sql`p.currency = ${currency}`,
    ]),
  lane: (lane, { database }) =>
    within(database, sql`b.id in (select batch_id from batch_lanes where lane = ${lane})`, [
      sql`p.lane = ${lane}`,
    ]),
  amountFrom: (_from, { filter }) => [amountWithin(amountRange(filter))],
  // Handled together with the lower bound, if there is one.
  amountTo: (_to, { filter }) =>
    filter.amountFrom === undefined ? [amountWithin(amountRange(filter))] : [],
  account: (account, { database, sealer }) => accountIs(database, sealer, account),
  accountDigest: (digest) => [sql`d.account_digest = ${digest}`],
  accountLast4: (tail, { sealer }) => [sql`d.account_tail = ${tailKey(sealer, tail)}`],
  gatewayNumber: (number) => [sql`p.gateway_number like ${`${likeText(number)}%`}`],
  // Payouts from before migration 0089 have no key and are not found.
  userId: (id, { sealer }) => [
    sql`d.user_key = ${userKeyOf(sealer, { user_id: id })} and d.user_key <> 0`,
  ],
  bank: (bank) => [bank === NO_BANK ? sql`d.bank is null` : sql`d.bank = ${bank}`],
  created: (between, { database }) => {
    const which = sql.join(timeWithin(sql`b.created_at`, between), sql` and `);
    return within(database, which, [
      sql`p.batch_id in (select b.id from batches b where ${which})`,
    ]);
  },
  sent: (between, { database }) =>
    within(database, isSending(between), timeWithin(sql`p.first_sent_at`, between)),
  changed: (between) => timeWithin(sql`p.updated_at`, between),
};

/** Source and conditions of the payouts `p`, with their payout_details `d`, that match a filter. */
export interface PayoutConditions {
  readonly from: RawBuilder<unknown>;
  readonly where: readonly Condition[];
}

/** Joins conditions that must all hold. */
export const allOf = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);

/** The conditions of a filter, and the lists of payout ids that it is limited to. */
interface FilterConditions {
  readonly where: readonly Condition[];
  /** Each the text of an array. */
  readonly listed: readonly string[];
}

/**
 * How a list of ids limits a search. `join`: PostgreSQL reads the listed payouts. `filter`: it may
 * also read an index in the order of the page and skip all others, which is faster for long lists.
 */
type ListedIds = "join" | "filter";

/** Returns null if no payout can match. */
export async function payoutConditions(
  database: Database,
  sealer: Sealer,
  filter: Omit<PayoutFilter, "text">,
): Promise<PayoutConditions | null> {
  const found = await conditionsOf(database, sealer, filter);
  return found && joined([found], "join");
}

/**
 * Returns the conditions of each interpretation of the filter's text together with its other
 * conditions. A payout may match several interpretations. Empty: no payout can match.
 */
export async function payoutAlternatives(
  database: Database,
  sealer: Sealer,
  { text, ...filter }: PayoutFilter,
  listedIds: ListedIds,
): Promise<readonly PayoutConditions[]> {
  const others = await conditionsOf(database, sealer, filter);
  if (!others) return [];
  if (text === undefined) return [joined([others], listedIds)];
  const meanings = interpretSearch(text).filter(({ by }) => by.account === undefined);
  const alternatives: PayoutConditions[] = [];
  for (const { by } of meanings) {
    const found = await conditionsOf(database, sealer, by);
    if (found) alternatives.push(joined([others, found], listedIds));
  }
  return alternatives;
}

async function conditionsOf(
  database: Database,
  sealer: Sealer,
  filter: PayoutFilter,
): Promise<FilterConditions | null> {
  const where: Condition[] = [];
  for (const [name, condition] of Object.entries(FIELDS)) {
    const given = filter[name as keyof typeof FIELDS];
    if (given === undefined) continue;
    const ask = condition as (
      given: unknown,
      looking: FilterContext,
    ) => ReturnType<typeof condition>;
    const found = await ask(given, { database, sealer, filter });
    if (found === null) return null;
    where.push(...found);
  }
  const { ids: wanted, name, reference, settled } = filter;
  const listed = wanted ? [`{${wanted.join(",")}}`] : [];
  for (const asked of [name !== undefined && { name }, reference !== undefined && { reference }]) {
    if (!asked) continue;
    const ids = await findPayoutIdsByTerm(database, sealer, asked);
    if (ids === null) return null;
    listed.push(ids);
  }
  if (settled) {
    const ids = await findFewSettled(database, settled);
    if (ids === null) {
      const found = await within(database, isSending(settled), settledWithin(settled));
      if (found === null) return null;
      where.push(...found);
    } else listed.push(ids);
  }
  const amounts = amountRange(filter);
  const isRange = amounts.from !== undefined || amounts.to !== undefined;
  const few = isRange ? await findFewWithin(database, amounts) : null;
  return { where, listed: few === null ? listed : [...listed, few] };
}

function joined(all: readonly FilterConditions[], listedIds: ListedIds): PayoutConditions {
  const payouts = sql`payouts p join payout_details d on d.payout_id = p.id`;
  const lists = all.flatMap(({ listed }) => listed);
  const where = all.flatMap((each) => each.where);
  if (listedIds === "filter") {
    const among = lists.map((ids) => sql`d.payout_id = any(${ids}::bigint[])`);
    return { from: payouts, where: [...where, ...among] };
  }
  const tables = lists.map((ids, at) => {
    const table = sql.ref(`listed_${at}`);
    return sql`unnest(${ids}::bigint[]) as ${table}(id) on ${table}.id = p.id`;
  });
  return { from: sql.join([payouts, ...tables], sql` join `), where };
}
