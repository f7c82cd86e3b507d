import { inLanguage } from "../../base/language.ts";

/** Texts of the fields for a send time. */
const en = {
  title: "Send time",
  immediately: "Immediately",
  schedule: "Schedule",
  passed: (time: string) =>
    `The scheduled time, ${time}, has passed. payrun will send the batch immediately after approval.`,
  date: "Date",
  time: "Time",
  zone: "Time zone",
  lastWorkingDay: (date: string) => `Last working day of the month, ${date}`,
  invalid: "This is not a valid time. Enter a date, and a time such as 09:00.",
  isPast: "This time has passed. Choose a later one.",
  planned: (time: string) => `payrun will check the rows again at ${time} and then send the batch.`,
};

export const sendTimeMessages = inLanguage({ en });
