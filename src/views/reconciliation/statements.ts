import type { ProposedStatement } from "#api/reconciliation/statements.ts";
import { findActedBy, findDisplayNames } from "#ledger/people/names.ts";
import {
  findProposedStatements,
  findStatement,
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
