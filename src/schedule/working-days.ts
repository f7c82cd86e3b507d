import { Temporal } from "temporal-polyfill";
import { CURRENCY_CODE } from "#money/currency.ts";
import { err, ok, type Result } from "#result.ts";

/** Days on which the banks of a currency are closed, as "2026-12-25", by the currency. */
export type Holidays = ReadonlyMap<string, ReadonlySet<string>>;

export const NO_HOLIDAYS: Holidays = new Map();

/** ISO weekdays. Where a currency is not named: Saturday and Sunday. */
const WEEKENDS: Readonly<Record<string, readonly number[]>> = { BDT: [5, 6] };
const WEEKEND: readonly number[] = [6, 7];

/** Longer than any run of holidays: a file that closes a whole month is followed no further. */
const LOOK_DAYS = 31;

export function isWorkingDay(
  date: Temporal.PlainDate,
  currency: string | null,
  holidays: Holidays,
): boolean {
  const weekend = WEEKENDS[currency ?? ""] ?? WEEKEND;
  return !weekend.includes(date.dayOfWeek) && !holidays.get(currency ?? "")?.has(date.toString());
}

/** The nearest working day in that direction, the day itself included; the day itself where a month has none. */
export function workingDayFrom(
  date: Temporal.PlainDate,
  step: 1 | -1,
  currency: string | null,
  holidays: Holidays,
): Temporal.PlainDate {
  for (let days = 0; days <= LOOK_DAYS; days += 1) {
    const found = date.add({ days: days * step });
    if (isWorkingDay(found, currency, holidays)) return found;
  }
  return date;
}

/**
 * Reads the operator's calendar: a line "INR,2026-01-26,Republic Day" for each holiday, under a header or none. Every
 * wrong line is named: a holiday that is not understood would be a day on which money is late.
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
