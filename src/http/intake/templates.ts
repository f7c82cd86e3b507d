import type { FastifyInstance } from "fastify";
import { DEFAULT_FILE_LIMITS, UNPACKED_BYTES_MAX } from "#intake/text/file-limits.ts";
import { columnGuideOf, templateRows } from "#intake/template.ts";
import { listedBanks } from "#payout/rules/bank-codes/bank-codes.ts";
import type { ServerDeps } from "#views/deps.ts";
import { Problem } from "#api/app/problems.ts";
import { route } from "#http/server/routes.ts";
import { sendFile } from "#http/server/send-file.ts";

/** Registers the routes for templates of payout files. */
export function templateRoutes(app: FastifyInstance, deps: ServerDeps): void {
  const { rows } = deps;

  route(app, deps, "GET /api/templates", async () => ({
    items: payable().flatMap((currency) => {
      const guide = columnGuideOf(currency, rows);
      return guide ? [{ currency, columns: guide.map(({ column }) => column) }] : [];
    }),
    limits: {
      bytes: DEFAULT_FILE_LIMITS.bytesMax,
      workbook_bytes: UNPACKED_BYTES_MAX,
      rows: DEFAULT_FILE_LIMITS.rowsMax,
      columns: DEFAULT_FILE_LIMITS.columnsMax,
    },
  }));

  route(app, deps, "GET /api/templates/:currency", async ({ params, query, reply }) => {
    const { currency } = params;
    const records = templateRows(currency, guide(currency));
    return sendFile(reply, `payouts-${currency}`, query.format, records, ",");
  });

  route(app, deps, "GET /api/templates/:currency/guide", async ({ params: { currency } }) => ({
    currency,
    columns: [...guide(currency)],
    bank_codes: listedBanks(currency).map(({ code, name, bankName }) => ({
      code,
      name,
      bank_name: bankName,
    })),
  }));

  const payable = (): string[] => [...(rows.currencies ?? [])].toSorted();
  const guide = (currency: string) => {
    const columns = payable().includes(currency) ? columnGuideOf(currency, rows) : null;
    if (!columns)
      throw new Problem("not_found", { detail: `payrun does not support payouts in ${currency}.` });
    return columns;
  };
}
