import { z } from "zod";
import type { ApiOperation } from "#api/app/operation.ts";
import { Amount, Currency, Timestamp } from "#api/app/shapes.ts";
import { BreakClassName } from "#api/reconciliation/breaks.ts";
import { REPORT_PERIODS, type ReportPeriod } from "#operations/report-period.ts";

/** Maximum number of days in a report. */
const DAYS_MAX = 366;
const DAY_MS = 86_400_000;

const Day = z.iso.date();
const Count = z.int();
const DecimalAmount = Amount.shape.amount;

/** The filters of all reports. */
const PAYOUTS = { lane: z.string().min(1).max(100).optional(), currency: Currency.optional() };

const BreakFilter = z.strictObject(PAYOUTS);
export type BreakFilter = z.output<typeof BreakFilter>;

const PERIOD = {
  ...PAYOUTS,
  /** The last days, including today. Absent: 30, unless `from` and `to` are given. */
  days: z.coerce.number().int().min(1).max(DAYS_MAX).optional(),
  /** Instead of `days`: a period in the zone of the report. */
  period: z.enum(REPORT_PERIODS).optional(),
  from: Day.optional(),
  to: Day.optional(),
  /** Absent: the zone that all lanes of the report have in common, or UTC. */
  zone: z.string().min(1).max(60).optional(),
};

interface Period {
  readonly days?: number | undefined;
  readonly period?: ReportPeriod | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const isWithinMax = ({ from, to }: Period): boolean =>
  from === undefined || to === undefined || Date.parse(to) - Date.parse(from) < DAYS_MAX * DAY_MS;

/** Requires one of the number of days, a period, and the first and the last day, or none. */
const withPeriod = <Filter extends z.ZodType<Period>>(filter: Filter) =>
  filter
    .refine(({ from, to }) => (from === undefined) === (to === undefined), {
      message: "is required together with `from`",
      path: ["to"],
    })
    .refine(({ days, from }) => days === undefined || from === undefined, {
      message: "cannot be combined with `from` and `to`",
      path: ["days"],
    })
    .refine(
      ({ days, period, from }) =>
        period === undefined || (days === undefined && from === undefined),
      { message: "cannot be combined with `days`, `from` and `to`", path: ["period"] },
    )
    .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
      message: "is before `from`",
      path: ["to"],
    })
    .refine(isWithinMax, {
      message: `is more than ${DAYS_MAX - 1} days after \`from\``,
      path: ["to"],
    });

const ReportFilter = withPeriod(z.strictObject(PERIOD));
export type ReportFilter = z.output<typeof ReportFilter>;

/** The reports by day. */
const DAILY = ["results", "fees", "times"] as const;
const REPORTS = ["summary", ...DAILY, "breaks"] as const;
export type ReportName = (typeof REPORTS)[number];

/** The period of a report, and the possible values of its filters. */
const Frame = {
  from: Day,
  to: Day,
  /** The first moment of the period, and the first one after it. */
  starts_at: Timestamp,
  ends_at: Timestamp,
  zone: z.string(),
  zones: z.array(z.string()),
  lanes: z.array(z.string()),
};

const Results = {
  currency: z.string(),
  settled: Count,
  settled_amount: DecimalAmount,
  declined: Count,
  declined_amount: DecimalAmount,
  /** The payouts that were returned on the day, whenever they settled. */
  returned: Count,
  returned_amount: DecimalAmount,
  /** Settled ÷ (settled + declined), rounded down. Null: neither. */
  success_percent: z.string().nullable(),
};

const Fees = {
  ...Amount.shape,
  /** The settled payouts with a reported fee. */
  payouts: Count,
  without_fee: Count,
};

/** Upper bounds of duration classes, so they are not exact. */
const Times = {
  currency: z.string(),
  payouts: Count,
  median_seconds: Count.nullable(),
  p95_seconds: Count.nullable(),
};

const daily = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.object({
    ...Frame,
    /** Oldest day first. A day without figures is absent. */
    items: z.array(z.object({ day: Day, ...shape })),
    /** The whole period, by currency. */
    period: z.array(z.object(shape)),
  });

const ResultsReport = daily(Results);
export type ResultsReport = z.output<typeof ResultsReport>;
const FeesReport = daily(Fees);
export type FeesReport = z.output<typeof FeesReport>;
const TimesReport = daily(Times);
export type TimesReport = z.output<typeof TimesReport>;

const BreaksReport = z.object({
  at: Timestamp,
  /** By class. A class without unresolved breaks is absent. */
  items: z.array(
    z.object({
      class: BreakClassName,
      class_text: z.string(),
      count: Count,
      within_1_day: Count,
      within_7_days: Count,
      within_30_days: Count,
      older: Count,
      oldest_at: Timestamp,
    }),
  ),
  count: Count,
});
export type BreaksReport = z.output<typeof BreaksReport>;

export const REPORT_API = {
  "GET /api/reports/results": {
    permission: "read",
    summary: "Returns the settled, declined and returned payouts by day and currency",
    query: ReportFilter,
    answer: ResultsReport,
  },
  "GET /api/reports/fees": {
    permission: "read",
    summary: "Returns the fees that the gateway reported, by day of settlement and currency",
    query: ReportFilter,
    answer: FeesReport,
  },
  "GET /api/reports/times": {
    permission: "read",
    summary: "Returns the time from approval to settlement by day of settlement and currency",
    query: ReportFilter,
    answer: TimesReport,
  },
  "GET /api/reports/breaks": {
    permission: "read",
    summary: "Counts the unresolved breaks by class and age",
    query: BreakFilter,
    answer: BreaksReport,
  },
  "GET /api/reports/:report/file": {
    permission: "read",
    summary: "Downloads a report",
    params: z.object({ report: z.enum(REPORTS) }),
    query: withPeriod(
      z.strictObject({ ...PERIOD, format: z.enum(["csv", "xlsx"]).default("csv") }),
    ),
    answer: "file",
  },
} as const satisfies Record<string, ApiOperation>;
