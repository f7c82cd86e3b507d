import type { ReactNode } from "react";
import { counted, inLanguage } from "../../../base/language.ts";

const payouts = (count: number) => counted(count, "payout", "payouts");

/** Texts about the retry batches of a batch. */
const en = {
  empty: "–",
  title: "Retry batches",
  result: (declined: number, paid: number, unpaid: number, sums: readonly string[]) =>
    `${declined.toLocaleString()} declined: ${[
      ...(paid === 0 ? [] : [`${paid.toLocaleString()} paid by a retry`]),
      ...(unpaid === 0 ? [] : [`${unpaid.toLocaleString()} still unpaid (${sums.join(", ")})`]),
    ].join(", ")}`,
  retries: (batch: ReactNode) => <>This batch retries payouts from {batch}.</>,
  retriedBy: (batch: ReactNode) => <>{batch} retries payouts from this batch.</>,
  returned: (share: string) => `Returned but not retried: ${share}.`,
  start: "Retry payouts",
  changes: "Changed details",
  unchanged: "Reason for retrying without changes:",
  beforeAndAfter: "Before and after",
  lengths: (before: number, after: number) => `${before} characters before, now ${after}`,
  differs: (from: number, to: number) =>
    from === to ? `character ${from} changed` : `changed from character ${from} to ${to}`,
  share: (count: number, sums: readonly string[]) => `${payouts(count)} (${sums.join(", ")})`,
};

export const messages = inLanguage({ en });
