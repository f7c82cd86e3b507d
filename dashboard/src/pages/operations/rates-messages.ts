import { counted, inLanguage } from "../../base/language.ts";

/** The texts of the charts, which load apart from the page. */
const en = {
  title: "Throughput",
  span: "Time range",
  minutes: (minutes: number) => counted(minutes, "minute", "minutes"),
  hours: (hours: number) => counted(hours, "hour", "hours"),
  empty: "No payouts were sent and no statuses were queried during this time.",
  perSecond: "Requests per second",
  latency: "Latency (ms)",
  otherAnswers: "Other responses per second",
  sent: "sent",
  accepted: "accepted",
  queried: "status queries",
  median: "median",
  p95: "95th percentile",
  rowDeclined: "row declined",
  deferred: "deferred or gateway unreachable",
  inconclusive: "no conclusive response",
  duplicate: "duplicate transaction code (111)",
};

export const messages = inLanguage({ en });
