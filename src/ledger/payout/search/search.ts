import { sql } from "kysely";
import type { BatchState } from "#intake/batch/batch-lifecycle.ts";
import type { Database } from "#ledger/store/database.ts";
import { type Deposit, searchDeposits } from "#ledger/deposit/deposits.ts";
import { likeText } from "#postgres/like.ts";
import { COUNT_MAX } from "#ledger/payout/search/count-payouts.ts";
import { type ListedPayout, listPayouts } from "#ledger/payout/search/payouts.ts";
import type { PayoutFilter } from "#ledger/payout/search/payout-filter.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { interpretSearch } from "#payout/search.ts";

export interface FoundBatch {
  readonly id: string;
  readonly fileName: string;
  readonly name: string | null;
  readonly purpose: string | null;
  readonly state: BatchState;
  readonly rows: number;
}

export interface Found {
  readonly payouts: readonly ListedPayout[];
  readonly batches: readonly FoundBatch[];
  readonly deposits: readonly Deposit[];
  /** Number of all matches, counted up to COUNT_MAX. */
  readonly counts: Readonly<Record<"payouts" | "batches" | "deposits", number>>;
  /** True if the payouts were found by account. */
  readonly isByAccount: boolean;
  readonly exact: { readonly kind: "payout" | "batch" | "deposit"; readonly id: string } | null;
  readonly understood: readonly string[];
  /** True if the text may be an account and this user may not search by account. */
  readonly accountsLeftOut: boolean;
}

const PAYOUTS_MAX = 8;
const BATCHES_MAX = 5;

/**
 * Searches by every interpretation of the text, the most certain first. Account is the last one,
 * and is tried only if all others find no match, because each search by account is recorded on the
 * audit log.
 *
 * @param byAccount called before a search by account; if it returns false, the search is omitted.
 */
export async function search(
  database: Database,
  sealer: Sealer,
  text: string,
  byAccount: (account: string) => Promise<boolean>,
): Promise<Found> {
  const all = interpretSearch(text);
  const plain = all.filter(({ by }) => by.account === undefined);
  const page = { sort: "newest", limit: PAYOUTS_MAX, after: null } as const;
  const given = text.trim();
  const list = ({ by }: (typeof all)[number]) =>
    listPayouts(database, sealer, by, page, "uncounted");
  const [batches, deposits, ...found] = await Promise.all([
    findBatches(database, given),
    searchDeposits(database, sealer, given, COUNT_MAX),
    ...plain.map(list),
  ]);
  const isFound = batches.count + deposits.count + found.flatMap(({ items }) => items).length > 0;
  const asAccount = isFound ? undefined : all.find(({ by }) => by.account !== undefined);
  const mayAccount = asAccount !== undefined && (await byAccount(given));
  const ways = mayAccount ? [...plain, asAccount] : plain;
  const pages = mayAccount ? [...found, await list(asAccount)] : found;
  const payouts = new Map<string, ListedPayout>();
  for (const { items } of pages) for (const payout of items) payouts.set(payout.code, payout);

  const isWhole = payouts.size <= PAYOUTS_MAX && pages.every(({ next }) => next === null);
  const filter = mayAccount ? { account: given } : { text: given };
  const count = isWhole ? payouts.size : await countPayouts(database, sealer, filter);

  const code = [given.toUpperCase(), given].find((each) => payouts.has(each));
  const batch = batches.items.find(({ id }) => id === given.toUpperCase());
  const byNumber = [...payouts.values()].filter(({ gatewayNumber }) => gatewayNumber === given);
  const only = byNumber.length === 1 ? byNumber[0]?.code : undefined;
  const payout = code ?? only;
  const deposit = deposits.items.find(({ code, gatewayNumber }) =>
    [code, gatewayNumber].includes(given.toUpperCase()),
  );
  return {
    payouts: [...payouts.values()].slice(0, PAYOUTS_MAX),
    batches: batches.items,
    deposits: deposits.items,
    counts: { payouts: count, batches: batches.count, deposits: deposits.count },
    isByAccount: mayAccount && payouts.size > 0,
    exact: payout
      ? { kind: "payout", id: payout }
      : batch
        ? { kind: "batch", id: batch.id }
        : deposit
          ? { kind: "deposit", id: deposit.code }
          : null,
    accountsLeftOut: asAccount !== undefined && !mayAccount,
    understood: ways.filter((_, at) => pages[at]?.items.length).map(({ label }) => label),
  };
}

async function countPayouts(
  database: Database,
  sealer: Sealer,
  filter: PayoutFilter,
): Promise<number> {
  const page = { sort: "newest", limit: 1, after: null } as const;
  const { count } = await listPayouts(database, sealer, filter, page);
  return Math.min(count ?? 0, COUNT_MAX);
}

/** Finds batches by text, as the list of batches does, newest first. */
async function findBatches(
  database: Database,
  text: string,
): Promise<{ readonly items: readonly FoundBatch[]; readonly count: number }> {
  const { rows } = await sql<FoundBatch & { total: number }>`
    select id, file_name as "fileName", name, purpose, state, rows, count(*) over ()::int as total from batches
    where concat_ws(' ', id, file_name, name, purpose) ilike ${`%${likeText(text)}%`}
    order by created_at desc, id limit ${BATCHES_MAX}`.execute(database);
  return {
    items: rows.map(({ total: _total, ...batch }) => batch),
    count: Math.min(rows[0]?.total ?? 0, COUNT_MAX),
  };
}
