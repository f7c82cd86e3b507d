import type { ProposedStatement, StatementResult } from "#api/reconciliation/statements.ts";
import type { Comparison } from "#flows/reconciliation/compare-day.ts";
import { findActedBy, findDisplayNames, findOtherApprovers } from "#ledger/people/names.ts";
import {
  findProposedStatements,
  findStatement,
  type Statement,
  type StoredStatement,
} from "#ledger/reconciliation/statements.ts";
import type { ServerDeps } from "#views/deps.ts";
import type { Person } from "#views/person.ts";

/** Returns the statements that wait for an approver, with those that they would replace. */
export async function proposedStatements(
  person: Person,
  { database }: Pick<ServerDeps, "database">,
): Promise<ProposedStatement[]> {
  const found = await findProposedStatements(database);
  const actors = found.map(({ actor }) => actor);
  const nameOf = await findDisplayNames(database, actors, null);
  const own = await findActedBy(database, person.actor, actors);
  return Promise.all(
    found.map(async (each) => {
      const current = await findStatement(database, each.lane, each.day);
      return {
        ...fileOf(each),
        id: each.id,
        lane: each.lane,
        day: each.day,
        by: { actor: each.actor, name: nameOf(each.actor).name },
        at: each.at.toISOString(),
        is_own: own.has(each.actor),
        approvers: await findOtherApprovers(database, each.actor),
        replaces: current && fileOf(current),
      };
    }),
  );
}

const fileOf = ({ fileName, lines, mappingVersion, balances }: StoredStatement) => ({
  file_name: fileName,
  lines,
  mapping_version: mappingVersion,
  has_balances: balances !== null,
});

/**
 * Returns the result of an upload or a decision.
 *
 * @param comparison null for a statement that is not compared.
 */
export function statementResult(
  { id, lane, day, lines, mappingVersion, state, isNew }: Statement & { readonly isNew: boolean },
  comparison: Comparison | null,
): StatementResult {
  if (state === "replaced") throw new Error(`statement ${id} has been replaced`);
  const statement = { id, lane, day, lines, mapping_version: mappingVersion, is_new: isNew, state };
  if (!comparison) return { statement, comparison: null };
  const { payouts, matched, others, countedHere, breaks, closed, reopened, hasBalances } =
    comparison;
  const counts = {
    payouts,
    matched,
    others,
    counted_here: countedHere,
    breaks: { ...breaks },
    closed,
  };
  return {
    statement,
    comparison: { ...counts, reopened: reopened.length, has_balances: hasBalances },
  };
}
