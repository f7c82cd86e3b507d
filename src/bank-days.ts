import { type Config, ConfigError, settingText } from "#config.ts";
import type { BankDays } from "#schedule/cut-offs.ts";
import { type Holidays, NO_HOLIDAYS, readHolidays } from "#schedule/working-days.ts";

/** What the operator has said of the days of banks. @throws ConfigError that names every line that is not understood. */
export const bankDays = ({ HOLIDAYS_FILE: file, CUT_OFFS: cutOffs }: Config): BankDays => ({
  cutOffs,
  holidays: file === undefined ? NO_HOLIDAYS : holidaysIn(file),
});

function holidaysIn(file: string): Holidays {
  const holidays = readHolidays(settingText(`HOLIDAYS_FILE ${file}`, file));
  if (holidays.ok) return holidays.value;
  throw new ConfigError(holidays.error.map((problem) => `HOLIDAYS_FILE ${file}: ${problem}`));
}
