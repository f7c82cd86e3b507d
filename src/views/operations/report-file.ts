import { Problem } from "#api/app/problems.ts";
import type { ReportFilter, ReportName } from "#api/operations/reports.ts";
import type { ServerDeps } from "#views/deps.ts";
import { reportRecords } from "#views/operations/report-records.ts";
import { breaksReport, feesReport, resultsReport, timesReport } from "#views/operations/reports.ts";

/** Breaks are counted as of now, so a period would be ignored. */
function refusePeriod({ days, from, to, zone }: ReportFilter): void {
  const given = Object.entries({ days, from, to, zone }).filter(([, value]) => value !== undefined);
  if (given.length === 0) return;
  const places = given.map(([name]) => ({
    place: `query.${name}`,
    message: "is not a filter of the report of breaks, which counts them as of now",
  }));
  throw new Problem("invalid_request", { places });
}

type Deps = Pick<ServerDeps, "database" | "clock">;

/** Returns the records of a report's file. */
export async function reportFile(
  name: ReportName,
  filter: ReportFilter,
  deps: Deps,
): Promise<string[][]> {
  switch (name) {
    case "summary": {
      const [results, fees, times] = await Promise.all([
        resultsReport(filter, deps),
        feesReport(filter, deps),
        timesReport(filter, deps),
      ]);
      return reportRecords(name, { results, fees, times });
    }
    case "results":
      return reportRecords(name, await resultsReport(filter, deps));
    case "fees":
      return reportRecords(name, await feesReport(filter, deps));
    case "times":
      return reportRecords(name, await timesReport(filter, deps));
    case "breaks":
      refusePeriod(filter);
      return reportRecords(name, await breaksReport(filter, deps));
  }
}
