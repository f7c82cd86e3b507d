import type { LedgerSteps } from "#ledger/ledger.ts";
import type { StoredStatement } from "#ledger/reconciliation/statements.ts";
import type { Compared } from "#ledger/reconciliation/store-breaks.ts";
import { BREAK_CLASSES, type BreakClass } from "#reconciliation/break-classes.ts";

/** Returns the classes for which a statement has values. Breaks of others stay as they are. */
export async function comparedClasses(
  { lane, balances, mappingVersion }: StoredStatement,
  { findStatementMapping }: LedgerSteps["reconciliation"],
): Promise<Compared["classes"]> {
  const mapping = await findStatementMapping(lane, mappingVersion);
  const isCompared: Partial<Record<BreakClass, boolean>> = {
    fee: mapping?.columns.fee !== undefined,
    gateway_number: mapping?.columns.gateway_number !== undefined,
    unexplained_movement: balances !== null,
  };
  return (Object.keys(BREAK_CLASSES) as BreakClass[]).filter((kind) => isCompared[kind] !== false);
}
