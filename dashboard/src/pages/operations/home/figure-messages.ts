import { counted, inLanguage } from "../../../base/language.ts";
import { inPercent } from "../../../base/text.ts";

const en = {
  days: (count: number) => counted(count, "day", "days"),
  day: "Day",
  today: "Today",

  period: {
    label: "Period of the results",
    during: (days: number) => (days === 1 ? "today" : `in the last ${days} days`),
  },

  success: {
    title: "Success rate",
    points: (points: string, days: number) =>
      `${points} percentage points compared with the previous ${days} days`,
    none: (during: string) => `No payouts settled or were declined ${during}.`,
    noEarlier: (days: number) => `no results in the previous ${days} days`,
    summary: (min: string, max: string, day: string) =>
      `Success rate by day, from ${min} to ${max}; lowest on ${day}.`,
  },

  settlement: {
    title: "Approval to settlement",
    p95: (time: string) => `median · 95% ${time}`,
    median: "Median",
    within: "95%",
    none: (during: string) => `No payouts settled ${during}.`,
    summary: (max: string, day: string) =>
      `Median time from approval to settlement by day; longest ${max} on ${day}.`,
  },

  settled: {
    title: "Payouts settled",
    caption: (declined: string, comparison: string) => `${declined} declined · ${comparison}`,
    usual: (count: string, days: number) => `average of the previous ${days} days: ${count}`,
    previous: (count: string, days: number) => `previous ${days} days: ${count}`,
    noEarlier: (days: number) => `none settled in the previous ${days} days`,
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
    lastReported: (time: string) => `as of ${time}`,
    noPayouts: "no payouts",
    explained:
      "A lane is one merchant account in one currency. Available: reported balance − reserved − settled since a minute before the report. Lasts: available ÷ average daily payouts over the last 30 days.",
    empty: "There are no lanes yet.",
    long: "over 99 days",
    showAll: (count: number) => `Show all ${count} lanes`,
  },

  reports: "Reports",
  breaks: "Unresolved breaks",
  percent: inPercent,
};

export const messages = inLanguage({ en });
