import { messages } from "./messages.ts";
import type { PayoutSummary } from "./payout-query.ts";

/** Returns the number of payouts found in words. */
export const foundText = ({ count, count_max }: PayoutSummary): string =>
  count === null ? messages.list.tooMany(count_max) : messages.list.found(count);
