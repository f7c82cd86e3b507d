import { textParams } from "../../base/list/text-params.ts";

const NAMES = ["period", "days", "from", "to", "lane", "currency", "zone"] as const;

/** The period and the filters of the reports, as text from the page address. */
export type ReportsSearch = { readonly [Name in (typeof NAMES)[number]]?: string };

/** Keeps the known filters of a page address and ignores its other parameters. */
export const reportsSearch = (given: Record<string, unknown>): ReportsSearch =>
  textParams(given, NAMES);

/** The choices of the period: named ones, and numbers of days up to today. */
export const PERIODS = ["today", "yesterday", "7", "30", "90", "this_month", "last_month"] as const;
export type PeriodChoice = (typeof PERIODS)[number];
const PERIOD_DEFAULT: PeriodChoice = "30";
/** Days of a period of which only the end is given. */
const DAYS_BEFORE = 29;
const DAY_MS = 86_400_000;

/** The chosen period; null for a first and a last day. */
export const periodOf = ({ period, days, from, to }: ReportsSearch): PeriodChoice | null =>
  from === undefined && to === undefined
    ? (PERIODS.find((each) => each === (period ?? days)) ?? PERIOD_DEFAULT)
    : null;

const NAMED = ["today", "yesterday", "this_month", "last_month"] as const;
const namedPeriod = (chosen: string) => NAMED.find((each) => each === chosen);

/** Removes the period from the page address. */
export const NO_PERIOD = {
  period: undefined,
  days: undefined,
  from: undefined,
  to: undefined,
} as const;

/** Returns the parameters of a chosen period. */
export const periodSearch = (chosen: string) => ({
  ...NO_PERIOD,
  ...(namedPeriod(chosen) === undefined ? { days: chosen } : { period: chosen }),
});

/** The query of the API for the reports by day. */
export function reportQuery(search: ReportsSearch) {
  const { from, to, zone } = search;
  const chosen = periodOf(search);
  const period =
    chosen === null
      ? { from: from ?? daysBefore(to), to: to ?? new Date().toISOString().slice(0, 10) }
      : namedPeriod(chosen) === undefined
        ? { days: Number(chosen) }
        : { period: namedPeriod(chosen) };
  return { ...payoutsQuery(search), ...period, ...(zone !== undefined && { zone }) };
}

/** The query of the API for the report of breaks. */
export const payoutsQuery = ({ lane, currency }: ReportsSearch) => ({
  ...(lane !== undefined && { lane }),
  ...(currency !== undefined && { currency }),
});

/** The first day of a period with this end. Text that is not a day is returned unchanged. */
function daysBefore(end: string | undefined): string {
  const atMs = Date.parse(`${end}T00:00:00Z`);
  return Number.isNaN(atMs)
    ? String(end)
    : new Date(atMs - DAYS_BEFORE * DAY_MS).toISOString().slice(0, 10);
}

/** The filters of a file. */
export type FileQuery = Readonly<Record<string, string | number | undefined>>;

/** The address of the file of a report with these filters. */
export const fileAddress = (report: string, query: FileQuery, format: string): string =>
  `/api/reports/${report}/file?${new URLSearchParams({
    ...Object.fromEntries(
      Object.entries(query).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)]],
      ),
    ),
    format,
  }).toString()}`;

/** The address of the payouts of a currency that settled in a period, from its two moments. */
export const settledAddress = ({
  currency,
  lane,
  from,
  to,
}: {
  readonly currency: string;
  readonly lane: string | undefined;
  readonly from: string;
  readonly to: string;
}): string =>
  `/payouts?${new URLSearchParams({
    currency,
    ...(lane !== undefined && { lane }),
    settled_from: from,
    settled_to: to,
  }).toString()}`;
