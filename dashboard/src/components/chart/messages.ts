import { inLanguage } from "../../base/language.ts";

const en = {
  time: "Time",
  day: "Day",
  figures: "Show figures as a table",
  /** The chart leaves out earlier days, which would be an empty area. */
  since: (day: string) => `From ${day}, the first day with results`,
  noData: "no data",
  atMost: (time: string) => `≤ ${time}`,
  overSevenDays: "over 7 days",
  seconds: (seconds: number) => `${seconds} s`,
  wholeMinutes: (minutes: number) => `${minutes} min`,
  wholeHours: (hours: number) => `${hours} h`,
  minutes: (minutes: number, seconds: number) =>
    seconds === 0 ? `${minutes} min` : `${minutes} min ${seconds} s`,
  hours: (hours: number, minutes: number) =>
    minutes === 0 ? `${hours} h` : `${hours} h ${minutes} min`,
};

export const messages = inLanguage({ en });
