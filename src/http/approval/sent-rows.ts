import { z } from "zod";
import type { FastifyInstance } from "fastify";
import { maskPayout } from "#intake/masking.ts";
import { cursorOf, readCursor } from "#api/app/cursor.ts";
import type { ServerDeps } from "#views/deps.ts";
import { detailsView } from "#views/payout/payout.ts";
import { Problem } from "#api/app/problems.ts";
import { route } from "#http/server/routes.ts";
import { reviewPage } from "#views/approval/review-rows.ts";
import { sentByDefault } from "#views/approval/default-values.ts";
import { sentRows } from "#ledger/approval/overrides.ts";
import { moneyOf } from "#ledger/store/tables.ts";
import { amountOf } from "#money/format.ts";

/** Adds the API routes for the rows as an approver reviews them and as they will be sent. */
export function sentRowRoutes(app: FastifyInstance, deps: ServerDeps): void {
  const { database, sealer, ledger } = deps;

  route(app, deps, "GET /api/batches/:id/approval/rows", async ({ params: { id }, query }) => {
    const batch = await ledger.payout.findBatch({ id });
    if (!batch) throw new Problem("not_found");
    const { cursor, ...asked } = query;
    const [offset] = cursor ? readCursor(cursor, z.tuple([z.int().min(0)])) : [0];
    return reviewPage(batch, { ...asked, offset }, deps);
  });

  route(app, deps, "GET /api/batches/:id/sent", async ({ params: { id }, query }) => {
    if (!(await ledger.payout.findBatch({ id }))) throw new Problem("not_found");
    const [after] = query.cursor ? readCursor(query.cursor, z.tuple([z.int()])) : [0];
    const { limit } = query;
    const rows = await sentRows(database, sealer, { batchId: id, after, limit });
    const last = rows.at(-1);
    return {
      items: rows.map(({ line, lane, code, sealed, ...row }) => {
        const usual = sentByDefault(lane, deps.deps);
        const { details } = maskPayout(row.currency, sealed);
        return {
          line,
          code,
          lane,
          ...amountOf(moneyOf(row)),
          details: detailsView(details),
          payout_code: sealed.payoutCode ?? usual.payoutCode,
          own_payout_code: sealed.payoutCode !== null && sealed.payoutCode !== usual.payoutCode,
          callback_url: sealed.callbackUrl ?? usual.callbackUrl,
          own_callback: sealed.callbackUrl !== null,
        };
      }),
      next: last && rows.length === limit ? cursorOf([last.id]) : null,
    };
  });
}
