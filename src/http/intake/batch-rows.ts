import type { FastifyInstance } from "fastify";
import { maskCells } from "#intake/masking.ts";
import { maySeeAccounts, recordAccountView } from "#http/intake/account-access.ts";
import { fixesOf } from "#flows/intake/suggested-fixes.ts";
import { findBatchOrThrow } from "#views/intake/batch.ts";
import { findingsView } from "#views/intake/batch-findings.ts";
import type { ServerDeps } from "#views/deps.ts";
import { problemViewer } from "#views/row-problem.ts";
import { route } from "#http/server/routes.ts";
import { rowsWithFindings } from "#ledger/intake/batch-findings.ts";

/** Registers the routes for the rows of a batch and the problems found there. */
export function batchRowRoutes(app: FastifyInstance, deps: ServerDeps): void {
  const { database, sealer, rows } = deps;

  route(app, deps, "GET /api/batches/:id/findings", async ({ params }) =>
    findingsView(await findBatchOrThrow(deps, params.id), deps),
  );

  route(app, deps, "GET /api/batches/:id/rows", async ({ params, query, person }) => {
    const batch = await findBatchOrThrow(deps, params.id);
    const { limit, ...which } = query;
    const wanted = { ...which, limit: limit + 1 };
    const lines = await rowsWithFindings(database, sealer, batch.id, wanted);
    const items = lines.slice(0, limit);
    const { header } = batch.facts;
    const isFull = await maySeeAccounts(deps, person, batch);
    const shown = problemViewer(isFull);
    if (isFull && items.length > 0) {
      const facts = { first: items[0]?.line, last: items.at(-1)?.line };
      await recordAccountView(deps, person, "view_rows", batch.id, facts);
    }
    const last = lines.length > limit ? items.at(-1) : undefined;
    return {
      columns: [...header],
      items: items.map(({ line, isRejected, cells, problems }) => ({
        line,
        rejected: isRejected,
        cells: isFull ? [...cells] : maskCells(header, cells, isRejected),
        problems: problems.map(shown),
        fixes:
          isFull && isRejected
            ? fixesOf(batch, { cells, problems }, rows).filter(isNewValue).map(fixView)
            : [],
      })),
      next: last ? String(last.line) : null,
    };
  });
}

/** Whether a fix has another value than the cell. Letters are confirmed together. */
const isNewValue = ({ kind }: ReturnType<typeof fixesOf>[number]): boolean => kind !== "letters";
const fixView = ({ column, value }: ReturnType<typeof fixesOf>[number]) => ({ column, value });
