import type { Command } from "commander";
import type {
  BreaksReport,
  FeesReport,
  ReportName as FileName,
  ResultsReport,
  TimesReport,
} from "#api/operations/reports.ts";
import type { ApiClient } from "#cli/terminal/api-client.ts";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import { print, printJson, say, table } from "#cli/terminal/output.ts";
import { type ServerFlags, withServerOptions } from "#cli/terminal/server-options.ts";
import { groupDigits } from "#money/format.ts";
import { UNBOUNDED_SECONDS } from "#operations/results.ts";
import type { Reports } from "#views/operations/report-records.ts";

interface Flags extends ServerFlags {
  readonly lane?: string;
  readonly currency?: string;
  readonly json?: boolean;
  readonly csv?: boolean;
}

interface PeriodFlags extends Flags {
  readonly days?: string;
  readonly from?: string;
  readonly to?: string;
  readonly zone?: string;
}

type Client = Pick<ApiClient, "call">;

/** The reports with rows of their own; the file of the summary combines three reports. */
type ReportName = Exclude<FileName, "summary">;

/** Adds `payrun report` to the program. */
export function reportCommand(program: Command): void {
  const report = program
    .command("report")
    .description("report results, fees and times by day, and breaks by age");
  const on = (name: ReportName, description: string) =>
    withServerOptions(
      report
        .command(name)
        .description(description)
        .option("--lane <lane>", "only this lane, such as MERCHANT/INR")
        .option("--currency <code>", "only this currency, such as INR")
        .option("--csv", "print CSV")
        .option("--json", "print JSON"),
    );
  const daily = (name: ReportName, description: string) =>
    on(name, description)
      .option("--days <number>", "number of days up to today (default: 30)")
      .option("--from <date>", "first day, such as 2026-11-01; requires --to")
      .option("--to <date>", "last day, such as 2026-11-30; requires --from")
      .option("--zone <zone>", "time zone of the days (default: that of all lanes, or UTC)");
  daily("results", "settled, declined and returned payouts by day").action((flags: PeriodFlags) =>
    show("results", flags, printResults, (client) =>
      client.call("GET /api/reports/results", { query: periodOf(flags) }),
    ),
  );
  daily("fees", "fees that the gateway reported, by day of settlement").action(
    (flags: PeriodFlags) =>
      show("fees", flags, printFees, (client) =>
        client.call("GET /api/reports/fees", { query: periodOf(flags) }),
      ),
  );
  daily("times", "time from approval to settlement by day of settlement").action(
    (flags: PeriodFlags) =>
      show("times", flags, printTimes, (client) =>
        client.call("GET /api/reports/times", { query: periodOf(flags) }),
      ),
  );
  on("breaks", "unresolved breaks by class and age").action((flags: Flags) =>
    show("breaks", flags, printBreaks, (client) =>
      client.call("GET /api/reports/breaks", { query: payoutsOf(flags) }),
    ),
  );
}

const payoutsOf = ({ lane, currency }: Flags) => ({
  ...(lane !== undefined && { lane }),
  ...(currency !== undefined && { currency }),
});

function periodOf({ days, from, to, zone, ...flags }: PeriodFlags) {
  if (days !== undefined && !/^[1-9]\d{0,2}$/.test(days)) {
    throw new CliError(EXIT.usage, `--days ${days}: expected a number from 1 to 366`);
  }
  return {
    ...payoutsOf(flags),
    ...(days !== undefined && { days: Number(days) }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(zone !== undefined && { zone }),
  };
}

async function show<Name extends ReportName>(
  name: Name,
  { lane: _lane, currency: _currency, json, csv, ...flags }: Flags,
  printReport: (report: Reports[Name]) => void,
  load: (client: Client) => Promise<Reports[Name]>,
): Promise<void> {
  if (json && csv) throw new CliError(EXIT.usage, "Use either --json or --csv.");
  const { withLedgerApi } = await import("#cli/terminal/local-api.ts");
  await withLedgerApi(flags, async (client) => {
    const report = await load(client);
    if (json) return printJson(report);
    if (csv) return printCsv(name, report);
    if (report.items.length === 0) return print(name === "breaks" ? "no breaks" : "no payouts");
    printReport(report);
  });
}

async function printCsv<Name extends ReportName>(name: Name, report: Reports[Name]): Promise<void> {
  const { stringify } = await import("csv-stringify/sync");
  const { reportRecords } = await import("#views/operations/report-records.ts");
  print(stringify(reportRecords(name, report)).trimEnd());
}

/** Prints a row for each day, then one for the whole period. */
function printDaily<Figures extends { readonly currency: string }>(
  report: {
    readonly items: readonly (Figures & { readonly day: string })[];
    readonly period: readonly Figures[];
    readonly from: string;
    readonly to: string;
    readonly zone: string;
  },
  header: readonly string[],
  cells: (figures: Figures) => readonly string[],
): void {
  const { items, period, from, to, zone } = report;
  const rows = items.map((item) => [item.day, item.currency, ...cells(item)]);
  const totals = period.map((each) => ["period", each.currency, ...cells(each)]);
  const numbers = new Set(header.map((_, at) => at + 2));
  print(table([["day", "currency", ...header], ...rows, ...totals], numbers));
  say(`${from} to ${to}, days in ${zone}`);
}

const printResults = (report: ResultsReport): void =>
  printDaily(
    report,
    ["settled", "settled amount", "declined", "returned", "returned amount", "success"],
    ({ currency, settled, declined, returned, success_percent: rate, ...amounts }) => [
      String(settled),
      groupDigits(amounts.settled_amount, currency),
      String(declined),
      String(returned),
      groupDigits(amounts.returned_amount, currency),
      rate === null ? "-" : `${rate}%`,
    ],
  );

const printFees = (report: FeesReport): void =>
  printDaily(
    report,
    ["fees", "payouts", "without fee"],
    ({ currency, amount, payouts, without_fee }) => [
      groupDigits(amount, currency),
      String(payouts),
      String(without_fee),
    ],
  );

function secondsText(seconds: number | null): string {
  if (seconds === null) return "-";
  return seconds >= UNBOUNDED_SECONDS ? "over 7 days" : `≤ ${seconds} s`;
}

const printTimes = (report: TimesReport): void =>
  printDaily(
    report,
    ["payouts", "median", "95%"],
    ({ payouts, median_seconds: median, p95_seconds: p95 }) => [
      String(payouts),
      secondsText(median),
      secondsText(p95),
    ],
  );

const printBreaks = ({ items, count }: BreaksReport): void => {
  const rows = items.map((each) =>
    [
      each.class,
      each.within_1_day,
      each.within_7_days,
      each.within_30_days,
      each.older,
      each.count,
    ].map(String),
  );
  const header = ["class", "up to 1 day", "1-7 days", "7-30 days", "older", "all"];
  print(table([header, ...rows], new Set([1, 2, 3, 4, 5])));
  say(`${count} unresolved breaks`);
};
