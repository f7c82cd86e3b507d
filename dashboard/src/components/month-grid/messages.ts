import { inLanguage } from "../../base/language.ts";

const en = {
  previous: "Previous month",
  current: "This month",
  next: "Next month",
  weekdays: ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"],
  days: "Days of the month",
};

export const messages = inLanguage({ en });
