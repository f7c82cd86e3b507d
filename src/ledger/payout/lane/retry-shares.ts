import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import { RETRY_RESULT_CONDITIONS } from "#ledger/payout/lane/retry-results.ts";
import { moneyOf } from "#ledger/store/tables.ts";
import { type Money, sumByCurrency } from "#money/money.ts";

/** The declined payouts of a batch that has retry batches, by the result of their retries. */
export interface RetryShares {
  readonly declined: number;
  readonly paidByRetry: number;
  /** The declined payouts that no retry has paid yet. */
  readonly unpaid: { readonly count: number; readonly sums: readonly Money[] };
}

/** Returns the declined payouts of these batches. Batches without a retry batch are left out. */
export async function findRetryShares(
  database: Database,
  batchIds: readonly string[],
): Promise<Map<string, RetryShares>> {
  if (batchIds.length === 0) return new Map();
  const { rows } = await sql<ShareRow>`
    select b.id as batch, ${RETRY_RESULT_CONDITIONS.paid} as paid, p.currency, p.minor_digits,
      count(*)::int as count, sum(p.amount_minor) as amount_minor
    from batches b
    join payouts p on p.id between b.first_id and b.last_id and p.batch_id = b.id and p.state = 'declined'
    where b.id = any(${batchIds}) and exists (select from retry_batches r where r.parent_id = b.id)
    group by 1, 2, 3, 4 order by 3`.execute(database);
  return new Map(
    [...Map.groupBy(rows, ({ batch }) => batch)].map(([batch, some]) => {
      const unpaid = some.filter(({ paid }) => !paid);
      const declined = countOf(some);
      return [
        batch,
        {
          declined,
          paidByRetry: declined - countOf(unpaid),
          unpaid: {
            count: countOf(unpaid),
            sums: [...sumByCurrency(unpaid.map(moneyOf)).values()],
          },
        },
      ];
    }),
  );
}

interface ShareRow {
  readonly batch: string;
  readonly paid: boolean;
  readonly currency: string;
  readonly minor_digits: number;
  readonly count: number;
  readonly amount_minor: string;
}

const countOf = (rows: readonly ShareRow[]): number =>
  rows.reduce((sum, { count }) => sum + count, 0);
