import type { FastifyInstance } from "fastify";
import { recordAccountView } from "#http/intake/account-access.ts";
import { route } from "#http/server/routes.ts";
import { sendFile } from "#http/server/send-file.ts";
import type { ServerDeps } from "#views/deps.ts";
import { withTask } from "#views/intake/batch-tasks.ts";
import { batchRecords } from "#views/intake/batch-file.ts";
import { batchList, batchSummary } from "#views/intake/batch-lines.ts";

/** Registers the routes for the list of batches: its pages, its sums, and its file. */
export function batchListRoutes(app: FastifyInstance, deps: ServerDeps): void {
  const { database } = deps;

  route(app, deps, "GET /api/batches", async ({ query, person }) =>
    batchList(database, await withTask(database, query, person)),
  );

  route(app, deps, "GET /api/batch-summary", async ({ query, person }) =>
    batchSummary(database, await withTask(database, query, person)),
  );

  route(app, deps, "GET /api/batch-export", async ({ query, person, reply }) => {
    const { format, sort, ...asked } = query;
    const facts = { format, filters: Object.keys(asked) };
    await recordAccountView(deps, person, "download_batches", "batches", facts);
    const records = batchRecords(database, await withTask(database, { ...asked, sort }, person));
    return sendFile(reply, "batches", format, records, ",");
  });
}
