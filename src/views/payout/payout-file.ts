import { isBeforeRequest } from "#intake/batch/batch-lifecycle.ts";
import { formulaSafe } from "#intake/text/formula.ts";
import type { PayoutFilter } from "#ledger/payout/search/payout-filter.ts";
import {
  type ListedPayout,
  listPayouts,
  type PayoutPage,
  type PayoutPlace,
  type PayoutSort,
} from "#ledger/payout/search/payouts.ts";
import { formatMoney } from "#money/format.ts";
import type { ServerDeps } from "#views/deps.ts";

const PAGE_ROWS = 500;

/** The columns of the file, with their values. */
const COLUMNS: Readonly<Record<string, (payout: ListedPayout) => string | number | null>> = {
  transaction_code: ({ code }) => code,
  state: exportedState,
  reason: ({ reason }) => reason,
  currency: ({ money }) => money.currency,
  amount: ({ money }) => formatMoney(money),
  user_id: ({ userId }) => userId,
  beneficiary: ({ beneficiary }) => beneficiary,
  bank: ({ bank }) => bank,
  account_last4: ({ accountLast4 }) => accountLast4,
  reference: ({ reference }) => reference,
  batch_id: ({ batchId }) => batchId,
  line: ({ line }) => line,
  gateway_number: ({ gatewayNumber }) => gatewayNumber,
  fee: ({ fee }) => fee && formatMoney(fee),
  attempts: ({ attempts }) => attempts,
  sent_at: ({ sentAt }) => sentAt?.toISOString() ?? null,
  settled_at: ({ settledAt }) => settledAt?.toISOString() ?? null,
  updated_at: ({ updatedAt }) => updatedAt.toISOString(),
};

/**
 * Names the state as the page does: before its batch is sent for approval, a payout is a draft, and
 * exact duplicates block it.
 */
function exportedState({ state, batchState, isBlocked }: ListedPayout): string {
  if (state !== "awaiting_approval") return state;
  if (isBeforeRequest(batchState)) return "draft";
  return isBlocked ? "blocked" : state;
}

/**
 * Generates the records of a file with the payouts that match a filter, starting with the header.
 * It reads page by page, so that a long list needs little memory.
 */
export async function* payoutRecords(
  { database, sealer }: Pick<ServerDeps, "database" | "sealer">,
  filter: PayoutFilter,
  sort: PayoutSort,
  isShown: (payout: ListedPayout) => boolean,
): AsyncGenerator<readonly string[]> {
  yield Object.keys(COLUMNS);
  for (let after: PayoutPlace | null = null; ; ) {
    const page: PayoutPage = await listPayouts(
      database,
      sealer,
      filter,
      { sort, limit: PAGE_ROWS, after },
      "uncounted",
    );
    for (const payout of page.items.filter(isShown)) {
      yield Object.values(COLUMNS).map((value) => formulaSafe(String(value(payout) ?? "")));
    }
    if (page.next === null) return;
    after = page.next;
  }
}
