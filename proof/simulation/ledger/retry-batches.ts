import {
  type Declined,
  NotRetryable,
  type Page,
  type RetryableState,
} from "#ledger/payout/retry-batches.ts";
import { reasonCode } from "#payout/reasons.ts";
import { RETRIES_MAX } from "#payout/retry-rule.ts";
import type { PayoutRow, Tables } from "./tables.ts";

/** src/ledger/payout/retry-batches.ts in memory. */

const isRetryable = (state: string | undefined): state is RetryableState =>
  state === "declined" || state === "returned";

/** Returns whether a payout that is retried is no longer declined or returned. */
export const isInvalidRetry = ({ descendants, payouts }: Tables, { id }: PayoutRow): boolean =>
  descendants.get(id)?.ancestors.some((above) => !isRetryable(payouts[above - 1]?.state)) ?? false;

const codeOf = ({ payouts }: Tables, id: number): string =>
  payouts[id - 1]?.order.transactionCode ?? "";

/** Returns the declined or returned payouts of a batch that may be retried, one page at a time. */
export function declinedRows(tables: Tables, page: Page): Declined[] {
  const declined = tables.payouts.filter(
    ({ id, batchId, line, reason, state, checkMs }) =>
      batchId === page.batchId &&
      (page.lines === undefined || page.lines.includes(line)) &&
      (page.cause === undefined || reason === page.cause || reasonCode(reason) === page.cause) &&
      id > Math.max(page.after, tables.epoch.knownUntil) &&
      (state === "declined" || (page.withReturned === true && state === "returned")) &&
      checkMs === null,
  );
  return declined
    .flatMap(({ id: payoutId, state, line, cells, order, reason }) => {
      if (!isRetryable(state)) return [];
      const above = [...(tables.descendants.get(payoutId)?.ancestors ?? []), payoutId];
      const again = [...tables.descendants].filter(([, { parentId }]) => above.includes(parentId));
      const isLive = again.some(([, { parentId, live }]) => live && parentId === payoutId);
      if (isLive || again.length >= RETRIES_MAX) return [];
      const lastCode = codeOf(tables, Math.max(payoutId, ...again.map(([id]) => id)));
      return [{ payoutId, state, line, cells, order, reason, lastCode }];
    })
    .slice(0, page.sizeMax);
}

/** Returns the IDs of the retry batches of a batch. */
export const findRetryBatches = ({ retryBatches }: Tables, batchId: string): string[] =>
  [...retryBatches].flatMap(([id, parent]) => (parent === batchId ? [id] : []));

/** Throws NotRetryable unless each payout is declined or returned, and has no other retry. */
export function refuseUnlessDeclined(tables: Tables, parents: readonly number[]): void {
  for (const id of parents) {
    const followers = [...tables.descendants.values()].filter(({ parentId }) => parentId === id);
    const isLive = followers.some(({ live }) => live);
    if (isLive || !isRetryable(tables.payouts[id - 1]?.state)) throw new NotRetryable();
  }
}

/** Records a payout as the retry of another one. */
export function recordDescendant({ descendants }: Tables, id: number, parentId: number): void {
  const ancestors = [...(descendants.get(parentId)?.ancestors ?? []), parentId];
  descendants.set(id, { parentId, ancestors, live: true });
}
