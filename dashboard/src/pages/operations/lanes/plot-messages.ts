import { inLanguage } from "../../../base/language.ts";

/** The texts of the plots, which load apart from their section. */
const en = {
  perSecond: "Responses per second",
  latency: "Latency (ms)",
  accepted: "accepted",
  queried: "status queries",
  median: "median",
  p95: "95th percentile",
  rowDeclined: "declined",
  deferred: "deferred or not sent",
  inconclusive: "no conclusive response",
};

export const messages = inLanguage({ en });
