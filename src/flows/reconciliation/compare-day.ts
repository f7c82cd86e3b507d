import { newId } from "#base/ids.ts";
import { err, ok, type Result } from "#base/result.ts";
import { balanceBreak } from "#flows/reconciliation/balance-break.ts";
import { BreakStore, type Stored } from "#flows/reconciliation/break-store.ts";
import { CountedDays } from "#flows/reconciliation/counted-days.ts";
import { comparedClasses } from "#flows/reconciliation/compared-classes.ts";
import { OtherDays } from "#flows/reconciliation/other-days.ts";
import type { StatementDeps } from "#flows/reconciliation/statement-upload.ts";
import type { StoredStatement } from "#ledger/reconciliation/statements.ts";
import type { MatchTotals } from "#reconciliation/match.ts";

/** The result of a comparison. */
export interface Comparison extends MatchTotals, Stored {
  /** Number of earlier breaks of this day and of other days that no longer exist. */
  readonly closed: number;
  /** Number of payouts that settled on the day before or after, and count on this day. */
  readonly countedHere: number;
  /** Whether the statement has balances, so that movements were compared. */
  readonly hasBalances: boolean;
}

/** Maximum number of breaks in one entry of the audit log. */
const LISTED_MAX = 100;

/**
 * Compares the current statement of a day with the ledger, and its lines with the balances, in one
 * commit. Stores every break, and repeats the comparison of other days for the codes on which they
 * depend on this statement. A repetition changes nothing unless a side has changed. Err: the
 * statement no longer counts.
 */
export async function compareDay(
  { id, lane }: { readonly id: string; readonly lane: string },
  actor: string,
  { ledger, clock }: StatementDeps,
): Promise<Result<Comparison, "content_changed">> {
  return ledger.transaction(async (transaction) => {
    const { reconciliation } = transaction;
    await reconciliation.lockStatements(lane);
    const statement = await reconciliation.findStatementById(id);
    if (statement?.state !== "current") return err("content_changed");
    const { day } = statement;
    const compared = { lane, day, statementId: id, comparison: newId("CM"), actor };
    const store = new BreakStore(compared, reconciliation);
    const others = new OtherDays(compared, reconciliation);
    const counted = new CountedDays(statement);
    const totals = await compareLines(statement, { store, others, counted });
    const movement = await balanceBreak(statement, reconciliation);
    if (movement) await store.add(movement);
    const stored = await store.end();
    await reconciliation.storeCountedDays(compared, { found: counted.found, compared: null });
    const classes = await comparedClasses(statement, reconciliation);
    const closed = await reconciliation.closeGoneBreaks(compared, { classes, codes: null });
    if (!statement.isCompared) await others.addReplaced();
    const ofOthers = await others.end();
    await transaction.payout.queryListedReturns(compared);
    await reconciliation.markStatementCompared({ id, ...totals });
    const comparison = {
      ...totals,
      ...stored,
      reopened: [...stored.reopened, ...ofOthers.reopened],
      closed: closed + ofOthers.closed,
      countedHere: counted.found.length,
      hasBalances: statement.balances !== null,
    };
    const { reopened, ...rest } = comparison;
    const facts = {
      lane,
      day,
      ...rest,
      ...(ofOthers.days.length > 0 && { other_days: ofOthers.days }),
      ...(reopened.length > 0 && {
        reopened: reopened.length,
        reopened_breaks: reopened.slice(0, LISTED_MAX),
      }),
    };
    const at = new Date(clock.nowMs());
    await transaction.integrity.appendAudit(at, { actor, action: "reconcile", object: id, facts });
    return ok(comparison);
  });
}

async function compareLines(
  { id, lane, startsAt, endsAt }: StoredStatement,
  {
    store,
    others,
    counted,
  }: {
    readonly store: BreakStore;
    readonly others: OtherDays;
    readonly counted: CountedDays;
  },
): Promise<MatchTotals> {
  const asked = { statementId: id, lane, startsAt, endsAt };
  const { matches, sides } = await others.match(asked, counted);
  let next = await matches.next();
  for (; !next.done; next = await matches.next()) await store.add(next.value, sides);
  return next.value;
}
