import { Temporal } from "temporal-polyfill";
import { CURRENCY_CODE } from "#money/currency.ts";
import { err, ok, type Result } from "#base/result.ts";

/** Days on which the banks of a currency are closed, such as "2026-12-25", by currency. */
export type Holidays = ReadonlyMap<string, ReadonlySet<string>>;

export const NO_HOLIDAYS: Holidays = new Map();

/** Weekend of each currency, as ISO weekdays. Default: Saturday and Sunday. */
const WEEKENDS: Readonly<Record<string, readonly number[]>> = { BDT: [5, 6] };
const WEEKEND: readonly number[] = [6, 7];

/**
 * Longer than any series of holidays. A calendar that closes a whole month is not searched further.
 */
const SEARCH_DAYS = 31;

/** Returns whether a date is neither a weekend day nor a holiday of the currency. */
export function isWorkingDay(
  date: Temporal.PlainDate,
  currency: string | null,
  holidays: Holidays,
): boolean {
  const weekend = WEEKENDS[currency ?? ""] ?? WEEKEND;
  return !weekend.includes(date.dayOfWeek) && !holidays.get(currency ?? "")?.has(date.toString());
}

/**
 * Returns the nearest working day in that direction, which may be the day itself. If there is none
 * within a month, returns the day itself.
 */
export function workingDayFrom(
  date: Temporal.PlainDate,
  step: 1 | -1,
  currency: string | null,
  holidays: Holidays,
): Temporal.PlainDate {
  for (let days = 0; days <= SEARCH_DAYS; days += 1) {
    const found = date.add({ days: days * step });
    if (isWorkingDay(found, currency, holidays)) return found;
  }
  return date;
}

/**
 * Returns the last day of a month on which the banks of all these currencies are open. If there is
 * none, returns the last day of the month.
 */
export function lastWorkingDay(
  month: Temporal.PlainDate,
  currencies: readonly string[],
  holidays: Holidays,
): Temporal.PlainDate {
  const end = month.with({ day: month.daysInMonth });
  for (let days = 0; days < month.daysInMonth; days += 1) {
    const day = end.subtract({ days });
    if (currencies.every((currency) => isWorkingDay(day, currency, holidays))) return day;
  }
  return end;
}

/**
 * Reads the operator's calendar: one line "INR,2026-01-26,Republic Day" for each holiday, with or
 * without a header. Every wrong line is reported, because money would be late on a holiday that was
 * not understood.
 */
export function readHolidays(text: string): Result<Holidays, readonly string[]> {
  const found = new Map<string, Set<string>>();
  const problems: string[] = [];
  for (const [at, line] of text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .entries()) {
    const [currency = "", date = ""] = line.split(",").map((cell) => cell.trim());
    if (line.trim() === "" || (at === 0 && currency.toLowerCase() === "currency")) continue;
    if (!CURRENCY_CODE.test(currency) || !isDate(date)) {
      problems.push(`line ${at + 1} is not CURRENCY,YYYY-MM-DD,name`);
      continue;
    }
    found.set(currency, (found.get(currency) ?? new Set()).add(date));
  }
  return problems.length > 0 ? err(problems) : ok(found);
}

function isDate(text: string): boolean {
  try {
    return Temporal.PlainDate.from(text).toString() === text;
  } catch {
    return false;
  }
}
