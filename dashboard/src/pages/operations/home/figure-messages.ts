import { counted, inLanguage } from "../../../base/language.ts";
import { inPercent } from "../../../base/text.ts";

const en = {
  days: (count: number) => counted(count, "day", "days"),
  day: "Day",
  today: "Today",
  tooFew: (days: number, min: number) =>
    `Results on ${counted(days, "day", "days")} so far. The chart appears when there are ${min}.`,

  success: {
    title: "Success rate",
    points: (points: string) => `${points} percentage points compared with the previous 30 days`,
    none: "No payouts have settled or been declined in the last 30 days.",
    noEarlier: "No results in the previous 30 days to compare with",
    settled: "Settled",
    declined: "Declined",
    summary: (min: string, max: string, day: string) =>
      `Success rate by day, from ${min} to ${max}; lowest on ${day}.`,
  },

  settlement: {
    title: "Approval to settlement",
    p95: (time: string) => `median · 95% within ${time}`,
    median: "Median",
    within: "95% within",
    none: "No payout has settled in the last 30 days.",
    summary: (max: string, day: string) =>
      `Median time from approval to settlement by day, up to ${max}; longest on ${day}.`,
  },

  settled: {
    title: "Payouts settled",
    usual: (count: string, days: number) =>
      `today · average of the previous ${days} days: ${count}`,
    first: (days: number) => `today · no payouts settled in the previous ${days} days`,
    payouts: "Payouts",
    summary: (max: string, day: string) =>
      `Number of payouts settled by day, up to ${max}; highest on ${day}.`,
  },

  currencies: {
    title: "Settled today by currency",
    caption: (zone: string) => `${zone} · compared with the median of the last 7 days`,
    currency: "Currency",
    amount: "Settled",
    payouts: "Payouts",
    declined: "Declined",
    returned: "Returned",
    lastDays: "8 days",
    usual: "Typical day",
    empty: "No payouts have settled or been declined in the last 8 days.",
    barsOf: (currency: string) => `Amounts in ${currency} settled in the last 8 days`,
  },

  balances: {
    title: "Balances and reservations",
    asOf: (time: string) => `balances reported at ${time} or later`,
    reportedAt: (time: string) => `Balance reported at ${time}`,
    lane: "Lane",
    available: "Available",
    reserved: "Reserved",
    settledSince: (amount: string) => `and ${amount} settled since the report`,
    shareOf: (reserved: string, balance: string) => `Reserved ${reserved} of ${balance}`,
    cover: "Lasts",
    daysOf: (days: string) => `${days} days`,
    notReported: "Not reported yet",
    soon: "The gateway is asked for the balances while you are on this page. They appear within a minute.",
    outdated: "Balance out of date",
    noPayouts: "no payouts",
    explained:
      "A lane is one merchant account in one currency. Available: reported balance − reserved − settled since a minute before the report. Lasts: available ÷ average daily payouts over the last 30 days.",
    empty: "There are no lanes yet.",
    long: "over 99 days",
    showAll: (count: number) => `Show all ${count} lanes`,
  },

  reports: "Results, fees and times by day and currency",
  breaks: "Unresolved breaks",
  percent: inPercent,
};

export const messages = inLanguage({ en });
