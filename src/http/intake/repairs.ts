import type { FastifyInstance } from "fastify";
import { checkRepairs, repairRows } from "#flows/intake/repair.ts";
import { maySeeAccounts } from "#http/intake/account-access.ts";
import { refusedCorrection, refusedFile } from "#http/intake/refusals.ts";
import { findBatchOrThrow } from "#views/intake/batch.ts";
import { lineOf } from "#views/intake/batch-lines.ts";
import type { ServerDeps } from "#views/deps.ts";
import type { Person } from "#views/person.ts";
import { problemViewer } from "#views/row-problem.ts";
import { Problem } from "#api/app/problems.ts";
import type { LiveDocuments } from "#http/server/live.ts";
import { route } from "#http/server/routes.ts";

/** Registers the routes that correct rows cell by cell. */
export function repairRoutes(app: FastifyInstance, deps: ServerDeps, live: LiveDocuments): void {
  const { database, ledger, rows, clock } = deps;
  const { keyring } = deps.deps;
  const correctDeps = () => ({ ledger, keyring, rows, at: new Date(clock.nowMs()) });

  route(app, deps, "POST /api/batches/:id/rows/check", async ({ params, body, person }) => {
    const batch = await editableBatch(params.id, person, deps);
    const checked = await checkRepairs(batch, body.rows, correctDeps());
    if (!checked.ok) throw refusedFile(checked.error);
    const shown = problemViewer(true);
    return {
      items: checked.value.map((row) => ({
        line: row.line,
        problems: (row.kind === "draft" ? row.warnings : row.problems).map(shown),
      })),
    };
  });

  route(app, deps, "POST /api/batches/:id/rows/correct", async ({ params, body, person }) => {
    const batch = await editableBatch(params.id, person, deps);
    const corrected = await repairRows(batch, body.rows, person.actor, correctDeps());
    if (!corrected.ok) throw refusedFile(corrected.error);
    const { value } = corrected;
    if (value.kind === "known") throw new Problem("content_changed");
    if (value.kind !== "corrected") throw refusedCorrection(batch.id, value);
    live.invalidate(`batch:${batch.id}`);
    const { rows: read, corrected: valid } = value;
    return { batch: await lineOf(database, batch.id), rows: read, corrected: valid };
  });
}

/** @throws Problem if the person may not see the rows that they would edit. */
async function editableBatch(id: string, person: Person, deps: ServerDeps) {
  const batch = await findBatchOrThrow(deps, id);
  if (await maySeeAccounts(deps, person, batch)) return batch;
  const detail = "Only the uploader and users with the reveal permission may edit rows.";
  throw new Problem("forbidden", { detail });
}
