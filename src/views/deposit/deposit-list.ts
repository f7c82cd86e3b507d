import { z } from "zod";
import { cursorOf, readCursor } from "#api/app/cursor.ts";
import type { QueryOf } from "#api/app/operation.ts";
import type { DEPOSIT_LIST_API, DepositFilter as Asked } from "#api/deposit/deposit-list.ts";
import type { Payrun } from "#app/wiring.ts";
import { formulaSafe } from "#intake/text/formula.ts";
import { sumDeposits } from "#ledger/deposit/deposit-summary.ts";
import { type DepositFilter, listDeposits } from "#ledger/deposit/deposits.ts";
import { amountOf } from "#money/format.ts";
import { sumByCurrency } from "#money/money.ts";
import { depositListItem } from "#views/deposit/deposit.ts";

type Store = Pick<Payrun, "database" | "sealer">;
type DepositQuery = QueryOf<(typeof DEPOSIT_LIST_API)["GET /api/deposits"]>;
type Item = ReturnType<typeof depositListItem>;

const Place = z.tuple([z.number().int()]);
const PAGE_ROWS = 500;

/** Returns a page of the deposits that match the query. */
export async function pageOfDeposits(
  { cursor, limit, sort, ...asked }: DepositQuery,
  { database, sealer }: Store,
) {
  const after = cursor === undefined ? null : readCursor(cursor, Place)[0];
  const page = await listDeposits(database, sealer, filterOf(asked), { sort, limit, after });
  return {
    items: page.items.map(depositListItem),
    next: page.next === null ? null : cursorOf([page.next]),
  };
}

/** Returns the number and sums of the deposits that match the filters of a request. */
export async function depositSummary({ state, ...asked }: Asked, { database, sealer }: Store) {
  const sums = await sumDeposits(database, sealer, filterOf(asked));
  const found = sums.filter((sum) => state === undefined || state.includes(sum.state));
  const countOf = (some: typeof sums): number =>
    some.reduce((sum, { deposits }) => sum + deposits, 0);
  const byCurrency = Map.groupBy(found, ({ money }) => money.currency);
  return {
    count: countOf(found),
    totals: [...sumByCurrency(found.map(({ money }) => money)).values()].map((sum) => ({
      ...amountOf(sum),
      deposits: countOf(byCurrency.get(sum.currency) ?? []),
    })),
    states: [...Map.groupBy(sums, (sum) => sum.state)].map(([each, some]) => ({
      state: each,
      deposits: countOf(some),
    })),
  };
}

/** The columns of the file, with their values. */
const COLUMNS: Readonly<Record<string, (deposit: Item) => string | number | null>> = {
  transaction_code: ({ code }) => code,
  state: ({ state }) => state,
  reason: ({ reason }) => reason,
  currency: ({ currency }) => currency,
  requested_amount: ({ amount }) => amount,
  payable_amount: ({ payable }) => payable,
  reported_amount: ({ paid }) => paid,
  user_id: ({ user_id }) => user_id,
  payer: ({ deposit_name }) => deposit_name,
  reference: ({ reference }) => reference,
  gateway_number: ({ gateway_number }) => gateway_number,
  attempts: ({ attempts }) => attempts,
  expires_at: ({ expires_at }) => expires_at,
  requested_at: ({ created_at }) => created_at,
  changed_at: ({ updated_at }) => updated_at,
};

/**
 * Generates the records of a file with the deposits that match the filters, starting with the
 * header. It reads page by page, so that a long list needs little memory.
 */
export async function* depositRecords(
  { sort, ...asked }: Omit<DepositQuery, "cursor" | "limit">,
  { database, sealer }: Store,
): AsyncGenerator<readonly string[]> {
  yield Object.keys(COLUMNS);
  const filter = filterOf(asked);
  for (let after: number | null = null; ; ) {
    const page: Awaited<ReturnType<typeof listDeposits>> = await listDeposits(
      database,
      sealer,
      filter,
      { sort, limit: PAGE_ROWS, after },
    );
    for (const deposit of page.items.map(depositListItem)) {
      yield Object.values(COLUMNS).map((value) => formulaSafe(String(value(deposit) ?? "")));
    }
    if (page.next === null) return;
    after = page.next;
  }
}

const filterOf = ({
  state,
  user_id,
  gateway_number,
  created_from,
  created_to,
  ...same
}: Asked): DepositFilter => ({
  ...same,
  states: state,
  userId: user_id,
  gatewayNumber: gateway_number,
  from: created_from ? new Date(created_from) : undefined,
  until: created_to ? new Date(created_to) : undefined,
});
