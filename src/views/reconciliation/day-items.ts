import type { DayView } from "#api/reconciliation/days.ts";
import {
  type DayItem,
  findDayItems,
  type ItemKey,
  type LaneDay,
} from "#ledger/reconciliation/day-figures.ts";
import { decimal } from "#reconciliation/day-figures.ts";
import type { ServerDeps } from "#views/deps.ts";

export type ItemView = DayView["items"][number];

/** Returns an item of a day as the API shows it. */
export const itemView = ({ movement, code, amount, at }: DayItem): ItemView => ({
  movement,
  code,
  amount: decimal(amount),
  at: at.toISOString(),
});

/** Number of items that the report reads at a time. */
const PAGE = 10_000;

/** Generates all items of a day. */
export async function* allItems(
  day: LaneDay,
  { database }: Pick<ServerDeps, "database">,
  page = PAGE,
): AsyncGenerator<ItemView> {
  let after: ItemKey | null = null;
  do {
    const { items, last }: Awaited<ReturnType<typeof findDayItems>> = await findDayItems(
      database,
      day,
      { after, limit: page },
    );
    yield* items.map(itemView);
    after = items.length < page ? null : last;
  } while (after !== null);
}
