import { type Config, ConfigError, settingText } from "#app/config.ts";
import type { BankDays } from "#schedule/cut-offs.ts";
import { type Holidays, NO_HOLIDAYS, readHolidays } from "#schedule/working-days.ts";

/**
 * Reads the operator's settings for bank holidays and cut-off times.
 * @throws ConfigError that lists every invalid line.
 */
export const bankDays = ({ HOLIDAYS_FILE: file, CUT_OFFS: cutOffs }: Config): BankDays => ({
  cutOffs,
  holidays: file === undefined ? NO_HOLIDAYS : holidaysIn(file),
});

function holidaysIn(file: string): Holidays {
  const holidays = readHolidays(settingText(`HOLIDAYS_FILE ${file}`, file));
  if (holidays.ok) return holidays.value;
  throw new ConfigError(holidays.error.map((problem) => `HOLIDAYS_FILE ${file}: ${problem}`));
}
