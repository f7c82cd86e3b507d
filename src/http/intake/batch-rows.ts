import type { FastifyInstance } from "fastify";
import { coverCells } from "#intake/masking.ts";
import { maySeeAccounts, tellAudit } from "#http/intake/account-access.ts";
import { found } from "#views/intake/batch.ts";
import { findingsView } from "#views/intake/batch-findings.ts";
import type { Desk } from "#views/deps.ts";
import { shownIn } from "#views/row-problem.ts";
import { route } from "#http/server/routes.ts";
import { rowsWithFindings } from "#ledger/intake/batch-findings.ts";

/** Registers the routes for the rows of a batch and the problems found there. */
export function batchRowRoutes(app: FastifyInstance, desk: Desk): void {
  const { database, sealer } = desk;

  route(app, desk, "GET /api/batches/:id/findings", async ({ params }) =>
    findingsView(await found(desk, params.id), desk),
  );

  route(app, desk, "GET /api/batches/:id/rows", async ({ params, query, person }) => {
    const batch = await found(desk, params.id);
    const { limit, ...which } = query;
    const wanted = { ...which, limit: limit + 1 };
    const lines = await rowsWithFindings(database, sealer, batch.id, wanted);
    const items = lines.slice(0, limit);
    const { header } = batch.facts;
    const isFull = await maySeeAccounts(desk, person, batch);
    const shown = shownIn(isFull);
    if (isFull && items.length > 0) {
      const facts = { first: items[0]?.line, last: items.at(-1)?.line };
      await tellAudit(desk, person, "view_rows", batch.id, facts);
    }
    const last = lines.length > limit ? items.at(-1) : undefined;
    return {
      columns: [...header],
      items: items.map(({ line, isRejected, cells, problems }) => ({
        line,
        rejected: isRejected,
        cells: isFull ? [...cells] : coverCells(header, cells, isRejected),
        problems: problems.map(shown),
      })),
      next: last ? String(last.line) : null,
    };
  });
}
