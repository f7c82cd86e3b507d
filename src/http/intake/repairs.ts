import type { FastifyInstance } from "fastify";
import { checkRepairs, repairRows } from "#flows/intake/repair.ts";
import { applySuggestedFixes, suggestedFixes } from "#flows/intake/suggested-fixes.ts";
import { maySeeAccounts, recordAccountView } from "#http/intake/account-access.ts";
import { refusedCorrection, refusedFile } from "#http/intake/refusals.ts";
import { findBatchOrThrow } from "#views/intake/batch.ts";
import { lineOf } from "#views/intake/batch-lines.ts";
import type { ServerDeps } from "#views/deps.ts";
import type { Person } from "#views/person.ts";
import { problemViewer } from "#views/row-problem.ts";
import type { AnswerOf } from "#api/app/operation.ts";
import { Problem } from "#api/app/problems.ts";
import type { BATCH_API } from "#api/intake/batches.ts";
import type { LiveDocuments } from "#http/server/live.ts";
import { route } from "#http/server/routes.ts";
import type { FixKind } from "#intake/batch/suggested-fix.ts";
import type { Batch } from "#ledger/payout/batches.ts";

type FixExample = AnswerOf<
  (typeof BATCH_API)["GET /api/batches/:id/row-fixes"]
>["items"][number]["examples"][number];

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
    return stored(batch.id, await repairRows(batch, body.rows, person.actor, correctDeps()));
  });

  route(app, deps, "GET /api/batches/:id/row-fixes", async ({ params, person }) => {
    const batch = await editableBatch(params.id, person, deps);
    const items = await fixSummary(batch, correctDeps());
    const lines = items.flatMap(({ examples }) => examples.map(({ line }) => line));
    if (lines.length > 0) {
      const facts = { first: Math.min(...lines), last: Math.max(...lines) };
      await recordAccountView(deps, person, "view_rows", batch.id, facts);
    }
    return { items };
  });

  route(app, deps, "POST /api/batches/:id/row-fixes", async ({ params, body, person }) => {
    const batch = await editableBatch(params.id, person, deps);
    const corrected = await applySuggestedFixes(batch, body, person.actor, correctDeps());
    if (corrected === null) throw new Problem("content_changed");
    return stored(batch.id, corrected);
  });

  /** @throws Problem if the rows were not corrected. */
  async function stored(id: string, corrected: Awaited<ReturnType<typeof repairRows>>) {
    if (!corrected.ok) throw refusedFile(corrected.error);
    const { value } = corrected;
    if (value.kind === "known") throw new Problem("content_changed");
    if (value.kind !== "corrected") throw refusedCorrection(id, value);
    live.invalidateBatch(id);
    return { batch: await lineOf(database, id), rows: value.rows, corrected: value.corrected };
  }
}

const EXAMPLES_MAX = 10;

/** Counts the suggested values of all rejected rows by kind, with the first values. */
async function fixSummary(batch: Batch, deps: Parameters<typeof suggestedFixes>[1]) {
  const items = new Map<FixKind, { values: number; examples: FixExample[] }>();
  for await (const { kind, line, column, before, value } of suggestedFixes(batch, deps)) {
    const item = items.get(kind) ?? { values: 0, examples: [] };
    items.set(kind, item);
    item.values += 1;
    if (item.examples.length < EXAMPLES_MAX)
      item.examples.push({ line, column, before, after: value });
  }
  return [...items].map(([kind, item]) => ({ kind, ...item }));
}

/** @throws Problem if the person may not see the rows that they would edit. */
async function editableBatch(id: string, person: Person, deps: ServerDeps) {
  const batch = await findBatchOrThrow(deps, id);
  if (await maySeeAccounts(deps, person, batch)) return batch;
  const detail = "Only the uploader and users with the reveal permission may edit rows.";
  throw new Problem("forbidden", { detail });
}
