import type { FastifyInstance } from "fastify";
import { recordAccountView } from "#http/intake/account-access.ts";
import { route } from "#http/server/routes.ts";
import { sendFile } from "#http/server/send-file.ts";
import type { ServerDeps } from "#views/deps.ts";
import { waitingBatches, waitingRecords } from "#views/approval/waiting-batches.ts";

/** Adds the API routes for the list of batches that await approval. */
export function approvalListRoutes(app: FastifyInstance, deps: ServerDeps): void {
  route(app, deps, "GET /api/approvals", ({ person, query }) =>
    waitingBatches(deps, person, query),
  );

  route(app, deps, "GET /api/approval-export", async ({ person, query, reply }) => {
    const { format, ...asked } = query;
    const facts = { format, filters: ["state", ...Object.keys(asked)] };
    await recordAccountView(deps, person, "download_batches", "batches", facts);
    const records = await waitingRecords(deps.database, person, asked);
    return sendFile(reply, "approvals", format, records, ",");
  });
}
