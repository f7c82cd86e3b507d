import type { FastifyInstance } from "fastify";
import { route, type RouteDeps } from "#http/server/routes.ts";
import { sendFile } from "#http/server/send-file.ts";
import { reportFile } from "#views/operations/report-file.ts";
import { breaksReport, feesReport, resultsReport, timesReport } from "#views/operations/reports.ts";

/** Registers the routes for reports. */
export function reportRoutes(app: FastifyInstance, deps: RouteDeps): void {
  route(app, deps, "GET /api/reports/results", ({ query }) => resultsReport(query, deps));
  route(app, deps, "GET /api/reports/fees", ({ query }) => feesReport(query, deps));
  route(app, deps, "GET /api/reports/times", ({ query }) => timesReport(query, deps));
  route(app, deps, "GET /api/reports/breaks", ({ query }) => breaksReport(query, deps));

  route(
    app,
    deps,
    "GET /api/reports/:report/file",
    async ({ params: { report }, query, reply }) => {
      const { format, ...filter } = query;
      return sendFile(
        reply,
        `report-${report}`,
        format,
        await reportFile(report, filter, deps),
        ",",
      );
    },
  );
}
