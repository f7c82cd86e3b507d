import type { AnswerOf } from "#api/app/operation.ts";
import type { SEARCH_API } from "#api/payout/search.ts";
import { COUNT_MAX } from "#ledger/payout/search/count-payouts.ts";
import { search } from "#ledger/payout/search/search.ts";
import { depositListItem } from "#views/deposit/deposit.ts";
import type { ServerDeps } from "#views/deps.ts";
import { payoutListItem } from "#views/payout/payout.ts";
import { sealAccount } from "#views/payout/sealed-account.ts";
import { findBatchStatuses } from "#views/schedule/batch-status.ts";

/**
 * Searches payouts, batches and deposits, as shown by the API and the command line.
 *
 * @param byAccount called before a search by account; if it returns false, the search is omitted.
 */
export async function searchDocument(
  text: string,
  byAccount: (account: string) => Promise<boolean>,
  { database, sealer }: Pick<ServerDeps, "database" | "sealer">,
): Promise<AnswerOf<(typeof SEARCH_API)["POST /api/search"]>> {
  const found = await search(database, sealer, text, byAccount);
  const { payouts, batches, deposits, counts, exact, understood } = found;
  const statusOf = await findBatchStatuses(
    database,
    batches.map(({ id }) => id),
  );
  return {
    payouts: payouts.map(payoutListItem),
    payouts_count: counts.payouts,
    batches: batches.map(({ fileName, ...batch }) => ({
      ...batch,
      file_name: fileName,
      ...statusOf(batch.id),
    })),
    batches_count: counts.batches,
    deposits: deposits.map(depositListItem),
    deposits_count: counts.deposits,
    count_max: COUNT_MAX,
    payouts_filter: found.isByAccount ? { account: sealAccount(sealer, text) } : { text },
    exact,
    understood: [...understood],
    accounts_left_out: found.accountsLeftOut,
  };
}
