import type { BatchState } from "#intake/batch/batch-lifecycle.ts";
import type { Database } from "#ledger/store/database.ts";
import { type Deposit, searchDeposits } from "#ledger/deposit/deposits.ts";
import { likeText } from "#postgres/like.ts";
import { type ListedPayout, listPayouts } from "#ledger/payout/search/payouts.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { interpretSearch } from "#payout/search.ts";

export interface FoundBatch {
  readonly id: string;
  readonly fileName: string;
  readonly name: string | null;
  readonly state: BatchState;
  readonly rows: number;
}

export interface Found {
  readonly payouts: readonly ListedPayout[];
  readonly batches: readonly FoundBatch[];
  readonly deposits: readonly Deposit[];
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
    searchDeposits(database, sealer, given),
    ...plain.map(list),
  ]);
  const isFound = batches.length + deposits.length + found.flatMap(({ items }) => items).length > 0;
  const asAccount = isFound ? undefined : all.find(({ by }) => by.account !== undefined);
  const mayAccount = asAccount !== undefined && (await byAccount(given));
  const ways = mayAccount ? [...plain, asAccount] : plain;
  const pages = mayAccount ? [...found, await list(asAccount)] : found;
  const payouts = new Map<string, ListedPayout>();
  for (const { items } of pages) for (const payout of items) payouts.set(payout.code, payout);

  const code = [given.toUpperCase(), given].find((each) => payouts.has(each));
  const batch = batches.find(({ id }) => id === given.toUpperCase());
  const byNumber = [...payouts.values()].filter(({ gatewayNumber }) => gatewayNumber === given);
  const only = byNumber.length === 1 ? byNumber[0]?.code : undefined;
  const payout = code ?? only;
  const deposit = deposits.find(({ code, gatewayNumber }) =>
    [code, gatewayNumber].includes(given.toUpperCase()),
  );
  return {
    payouts: [...payouts.values()].slice(0, PAYOUTS_MAX),
    batches,
    deposits,
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

/**
 * Finds batches by the beginning of the number or by any part of its name or file name, newest
 * first.
 */
async function findBatches(database: Database, text: string): Promise<FoundBatch[]> {
  const escaped = likeText(text);
  const rows = await database
    .selectFrom("batches")
    .select(["id", "file_name", "name", "state", "rows"])
    .where((where) =>
      where.or([
        where("id", "like", `${escaped.toUpperCase()}%`),
        where("file_name", "ilike", `%${escaped}%`),
        where("name", "ilike", `%${escaped}%`),
      ]),
    )
    .orderBy("created_at", "desc")
    .limit(BATCHES_MAX)
    .execute();
  return rows.map(({ id, file_name, name, state, rows: size }) => ({
    id,
    fileName: file_name,
    name,
    state,
    rows: size,
  }));
}
