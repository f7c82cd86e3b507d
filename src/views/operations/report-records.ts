import type {
  BreaksReport,
  FeesReport,
  ReportName,
  ResultsReport,
  TimesReport,
} from "#api/operations/reports.ts";

/** The reports by name. */
export interface Reports {
  readonly results: ResultsReport;
  readonly fees: FeesReport;
  readonly times: TimesReport;
  readonly breaks: BreaksReport;
}

type Cells = readonly (string | number | null)[];

/** One row for each day and currency. A file has no other place for the zone. */
const dailyRows = <Item extends { readonly day: string; readonly currency: string }>(
  { items, zone }: { readonly items: readonly Item[]; readonly zone: string },
  names: readonly (keyof Item & string)[],
): readonly Cells[] => [
  ["day", "zone", "currency", ...names],
  ...items.map((item) => [
    item.day,
    zone,
    item.currency,
    ...names.map((name) => item[name] as string | number | null),
  ]),
];

const ROWS: { readonly [Name in ReportName]: (report: Reports[Name]) => readonly Cells[] } = {
  results: (report) =>
    dailyRows(report, [
      "settled",
      "settled_amount",
      "declined",
      "declined_amount",
      "returned",
      "returned_amount",
      "success_percent",
    ]),
  fees: (report) => dailyRows(report, ["amount", "payouts", "without_fee"]),
  times: (report) => dailyRows(report, ["payouts", "median_seconds", "p95_seconds"]),
  breaks: ({ items }) => [
    ["class", "count", "within_1_day", "within_7_days", "within_30_days", "older", "oldest_at"],
    ...items.map((each) => [
      each.class,
      each.count,
      each.within_1_day,
      each.within_7_days,
      each.within_30_days,
      each.older,
      each.oldest_at,
    ]),
  ],
};

/** Returns the records of the file of a report, starting with the header. */
export const reportRecords = <Name extends ReportName>(
  name: Name,
  report: Reports[Name],
): string[][] => ROWS[name](report).map((row) => row.map((cell) => String(cell ?? "")));
