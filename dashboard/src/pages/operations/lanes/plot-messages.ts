import { inLanguage } from "../../../base/language.ts";

/** The texts of the plots, which load apart from their section. */
const en = {
  perSecond: "Responses per second",
  latency: "Latency (ms)",
  accepted: "Accepted",
  queried: "Status queries",
  median: "Median",
  p95: "95th percentile",
  rowDeclined: "Declined",
  deferred: "Deferred or not sent",
  inconclusive: "No conclusive response",
};

export const messages = inLanguage({ en });
