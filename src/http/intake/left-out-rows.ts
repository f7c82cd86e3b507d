import type { FastifyInstance } from "fastify";
import { maskCells } from "#intake/masking.ts";
import { leaveOut, putBack } from "#flows/intake/leave-out.ts";
import { maySeeAccounts, recordAccountView } from "#http/intake/account-access.ts";
import { refusedCorrection, refusedFile } from "#http/intake/refusals.ts";
import type { LiveDocuments } from "#http/server/live.ts";
import { route, type RouteDeps } from "#http/server/routes.ts";
import { Problem } from "#api/app/problems.ts";
import { findBatchOrThrow } from "#views/intake/batch.ts";
import { lineOf } from "#views/intake/batch-lines.ts";
import type { ServerDeps } from "#views/deps.ts";
import { problemViewer } from "#views/row-problem.ts";
import { countLeftOutRows, listLeftOutRows } from "#ledger/intake/left-out/left-out-rows.ts";
import { findActorNames } from "#ledger/people/names.ts";

type LeftOutDeps = RouteDeps &
  Pick<ServerDeps, "sealer" | "ledger" | "rows"> & {
    readonly deps: Pick<ServerDeps["deps"], "keyring">;
  };

/** Registers the routes for rows that the uploader leaves out of a batch. */
export function leftOutRowRoutes(
  app: FastifyInstance,
  deps: LeftOutDeps,
  live: Pick<LiveDocuments, "invalidateBatch">,
): void {
  const { database, sealer, ledger, rows, clock } = deps;
  const { keyring } = deps.deps;
  const now = () => new Date(clock.nowMs());

  route(app, deps, "GET /api/batches/:id/left-out-rows", async ({ params, query, person }) => {
    const batch = await findBatchOrThrow(deps, params.id);
    const { after, limit } = query;
    const found = await listLeftOutRows(database, sealer, batch.id, { after, limit: limit + 1 });
    const items = found.slice(0, limit);
    const { header } = batch.facts;
    const isFull = await maySeeAccounts(deps, person, batch);
    if (isFull && items.length > 0) {
      const facts = { first: items[0]?.line, last: items.at(-1)?.line };
      await recordAccountView(deps, person, "view_rows", batch.id, facts);
    }
    const nameOf = await findActorNames(
      database,
      items.map(({ actor }) => actor),
    );
    return {
      columns: [...header],
      count: await countLeftOutRows(database, batch.id),
      items: items.map(({ line, cells, problems, actor, at }) => ({
        line,
        cells: isFull ? [...cells] : maskCells(header, cells, true),
        problems: problems.map(problemViewer(isFull)),
        by: { actor, name: nameOf(actor) },
        at: at.toISOString(),
      })),
      next: found.length > limit ? String(items.at(-1)?.line ?? 0) : null,
    };
  });

  route(app, deps, "POST /api/batches/:id/rows/leave-out", async ({ params, body, person }) => {
    const batch = await findBatchOrThrow(deps, params.id);
    const order = {
      batchId: batch.id,
      lines: body.lines,
      contentDigest: body.content_digest ?? null,
      actor: person.actor,
      at: now(),
    };
    const done = await leaveOut(order, ledger);
    if (!done.ok) throw refusedFile(done.error);
    const { value } = done;
    if (value.kind === "no_row_left") throw new Problem("not_ready", { detail: NO_ROW_LEFT });
    if (value.kind !== "left_out") throw refusedCorrection(batch.id, value);
    live.invalidateBatch(batch.id);
    return { batch: await lineOf(database, batch.id), rows: value.rows };
  });

  route(app, deps, "POST /api/batches/:id/rows/put-back", async ({ params, body, person }) => {
    const batch = await findBatchOrThrow(deps, params.id);
    const { content_digest: seen, lines } = body;
    if (seen !== undefined && seen !== batch.contentDigest) throw new Problem("content_changed");
    const done = await putBack(batch, lines, person.actor, { ledger, keyring, rows, at: now() });
    if (!done.ok) throw refusedFile(done.error);
    const { value } = done;
    if (value.kind === "known") throw new Problem("content_changed");
    if (value.kind !== "corrected") throw refusedCorrection(batch.id, value);
    live.invalidateBatch(batch.id);
    return { batch: await lineOf(database, batch.id), rows: value.rows };
  });
}

const NO_ROW_LEFT =
  "At least one row must remain in the batch. To pay none of its rows, cancel the batch.";
