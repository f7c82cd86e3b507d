import type { Clock } from "#base/clock.ts";
import { RETENTION_KIND_NAMES, RETENTION_KINDS } from "#integrity/retention.ts";
import type { DeletedRows } from "#ledger/integrity/retention.ts";
import type { LedgerSteps } from "#ledger/ledger.ts";

interface Deps {
  readonly ledger: LedgerSteps;
  readonly clock: Pick<Clock, "nowMs">;
}

const DAY_MS = 86_400_000;

/**
 * Deletes what the retention rules no longer keep, in short transactions. The caller makes sure
 * that no other process does this.
 *
 * @returns the number of deleted rows by kind. Null: there is a legal hold, or no rule deletes.
 */
export async function runRetention(actor: string, deps: Deps): Promise<DeletedRows | null> {
  const { ledger, clock } = deps;
  const { rules, hold } = await ledger.transaction(({ integrity }) => integrity.readRetention());
  const kinds = RETENTION_KIND_NAMES.filter(
    (kind) => RETENTION_KINDS[kind].deletes && rules[kind] !== null,
  );
  if (hold !== null || kinds.length === 0) return null;
  for (const kind of kinds) {
    let count: number;
    do {
      count = await ledger.transaction(({ integrity }) => integrity.deleteExpired(kind));
    } while (count > 0);
  }
  return ledger.transaction(({ integrity }) =>
    integrity.recordRetentionRun({ actor, at: new Date(clock.nowMs()) }),
  );
}

/** Runs it if the last run was a day ago. */
export async function runDailyRetention(deps: Deps): Promise<void> {
  const last = await deps.ledger.transaction(({ integrity }) => integrity.lastRetentionRun());
  if (last !== null && deps.clock.nowMs() - last.getTime() < DAY_MS) return;
  await runRetention("payrun", deps);
}
