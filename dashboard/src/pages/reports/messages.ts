import { counted, inLanguage } from "../../base/language.ts";
import { inPercent } from "../../base/text.ts";

const en = {
  title: "Reports",
  facts: (from: string, to: string, zone: string) => `${from} to ${to} · days in ${zone}`,
  filters: {
    label: "Filters of the reports",
    period: "Period",
    periods: {
      today: "Today",
      yesterday: "Yesterday",
      7: "Last 7 days",
      30: "Last 30 days",
      90: "Last 90 days",
      this_month: "This month",
      last_month: "Last month",
    },
    from: "From",
    to: "To",
    fromTo: (from: string, to: string) =>
      from === "" ? `until ${to}` : to === "" ? `from ${from}` : `${from} – ${to}`,
    apply: "Apply",
    lane: "Lane",
    currency: "Currency",
    zone: "Time zone",
    all: "All",
    automatic: "Automatic",
  },

  amounts: {
    title: "Settled amount",
    caption: "Returned payouts are shown on the day of their return and are not subtracted",
    settled: "Settled",
    returned: "Returned",
    of: (currency: string, settled: string, returned: string) =>
      `${currency}: ${settled} settled, ${returned} returned`,
  },
  summary: {
    title: "Summary by currency",
    chartsLater: "Charts by day appear when the period has figures for 3 days.",
    total: "Total",
    currency: "Currency",
    settled: "Settled amount",
    payouts: "Settled payouts",
    declined: "Declined payouts",
    returned: "Returned amount",
    rate: "Success rate",
    fees: "Fees",
    withoutFee: (count: number) => `${count.toLocaleString()} not reported`,
    median: "Median time to settlement",
    within: "95% of payouts",
  },

  success: {
    title: "Success rate",
    caption: "Settled ÷ (settled + declined)",
    rate: "Success rate",
    settled: "Settled",
    declined: "Declined",
    of: (currency: string, rate: string, settled: number, declined: number) =>
      `${currency}: ${rate} (${settled.toLocaleString()} settled, ${declined.toLocaleString()} declined)`,
    percent: inPercent,
  },
  fees: {
    title: "Fees",
    caption: "By day of settlement, as the gateway last reported them",
    fees: "Fees",
    payouts: "Payouts with a fee",
    of: (currency: string, amount: string) => `${currency}: ${amount}`,
    without: (text: string, payouts: number) =>
      `${text} (${counted(payouts, "settled payout has", "settled payouts have")} no reported fee)`,
  },
  times: {
    title: "Time from approval to settlement",
    caption: "By day of settlement; includes the wait for a scheduled send time",
    median: "Median",
    within: "95%",
    of: (currency: string, median: string, within: string) =>
      `${currency}: median ${median}, 95% ${within}`,
  },
  breaks: {
    title: "Unresolved breaks",
    caption: "By class and time since they were first found, as of now",
    class: "Class",
    count: "Breaks",
    ages: "Ages",
    within1Day: "Up to 1 day",
    within7Days: "1 to 7 days",
    within30Days: "7 to 30 days",
    older: "Over 30 days",
    agesOf: (parts: readonly string[]) => parts.join(", "),
  },

  /** The charts of these currencies would have one or two points. */
  fewDays: (currencies: readonly string[]) =>
    `No chart for ${currencies.join(", ")}: figures for fewer than 3 days.`,
  noPayouts: "No payouts settled, were declined or were returned in this period.",
  noneSettled: "No payouts settled in this period.",
  axis: {
    hours: (hours: string) => `${hours} h`,
    minutes: (minutes: string) => `${minutes} min`,
    seconds: (seconds: string) => `${seconds} s`,
  },
};

export const messages = inLanguage({ en });
