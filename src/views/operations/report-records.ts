import type {
  BreaksReport,
  FeesReport,
  ReportName,
  ResultsReport,
  TimesReport,
} from "#api/operations/reports.ts";

/** The reports by name. */
export interface Reports {
  /** The three reports by day for the same filters. */
  readonly summary: {
    readonly results: ResultsReport;
    readonly fees: FeesReport;
    readonly times: TimesReport;
  };
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

const RESULTS = [
  "settled",
  "settled_amount",
  "declined",
  "declined_amount",
  "returned",
  "returned_amount",
  "success_percent",
] as const;

const SUMMARISED = ["fees", "without_fee", "median_seconds", "p95_seconds"];

/** One row for each currency in the whole period. */
function summaryRows({ results, fees, times }: Reports["summary"]): readonly Cells[] {
  const { from, to, zone } = results;
  const found = <Item extends { readonly currency: string }>(items: readonly Item[], of: string) =>
    items.find(({ currency }) => currency === of);
  return [
    ["from", "to", "zone", "currency", ...RESULTS, ...SUMMARISED],
    ...results.period.map((item) => {
      const fee = found(fees.period, item.currency);
      const time = found(times.period, item.currency);
      return [
        from,
        to,
        zone,
        item.currency,
        ...RESULTS.map((name) => item[name]),
        fee?.amount ?? null,
        fee?.without_fee ?? null,
        time?.median_seconds ?? null,
        time?.p95_seconds ?? null,
      ];
    }),
  ];
}

const ROWS: { readonly [Name in ReportName]: (report: Reports[Name]) => readonly Cells[] } = {
  summary: (reports) => summaryRows(reports),
  results: (report) => dailyRows(report, RESULTS),
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
