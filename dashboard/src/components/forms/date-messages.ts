import { inLanguage } from "../../base/language.ts";

const en = {
  example: "such as 31 Dec 2026",
  timeExample: "such as 31 Dec 2026, 09:00",
  timeOfDayExample: "such as 09:00",
  open: "Open calendar",
  unreadable: "Enter a date such as 31 Dec 2026",
  unreadableTime: "Enter a time such as 09:00",
  from: (date: string) => `Enter ${date} or a later date`,
  until: (date: string) => `Enter ${date} or an earlier date`,
};

export const messages = inLanguage({ en });
