const CEILING_CURRENCY = "KRW";

/** So many payouts of one lane may be in doubt: low enough to be reached, and no lower where there are many to be sent. */
export const ceilingFor = (payouts: number) => ({
  currency: CEILING_CURRENCY,
  payouts: Math.max(3, Math.ceil(payouts / 1_000)),
});

/**
 * How badly the gateway answers, as rules of docs/simulator.md. The first block is what leaves payrun in doubt: each
 * share is of all payout requests, together about a fifth.
 */
// biome-ignore format: one line per fault
export const GATEWAY_FAULTS: readonly Readonly<Record<string, unknown>>[] = [
  { fault: "cut_before",      rate: 0.04 },
  { fault: "reset_before",    rate: 0.02 },
  { fault: "http_502_before", rate: 0.03 },
  { fault: "hang_before",     rate: 0.01 },
  { fault: "odd_before",      rate: 0.01 },
  { fault: "late_arrival",    rate: 0.02, delay_ms: 1_500 },
  { fault: "cut_after",       rate: 0.04 },
  { fault: "http_500_after",  rate: 0.03 },
  { fault: "html_after",      rate: 0.01 },
  { fault: "truncated",       rate: 0.01 },
  { fault: "broken_off",      rate: 0.01 },
  { fault: "hang_after",      rate: 0.01 },

  { fault: "code_121",        rate: 0.02, first: 1 },
  { fault: "slow",            delay_ms: 120 },

  // What is in doubt in this lane stays so for a question more, so that it comes to its ceiling. Not for several: each
  // waits for a quarter of the time that has gone by, which is long for a payout whose worker was killed.
  { fault: "status_500",      currency: CEILING_CURRENCY, first: 1 },
  { fault: "status_lag",      rate: 0.05, delay_ms: 800 },
  { fault: "status_500",      rate: 0.03 },
  { fault: "status_cut",      rate: 0.03 },
  { fault: "status_html",     rate: 0.02 },
  { fault: "status_garbage",  rate: 0.02 },
  { fault: "status_slow",     rate: 0.05, delay_ms: 400 },

  { fault: "callback_lost",       rate: 0.2 },
  { fault: "callback_repeated",   rate: 0.1 },
  { fault: "callback_reordered",  rate: 0.1 },
  { fault: "callback_forged",     rate: 0.1 },
  { fault: "callback_mismatched", rate: 0.05 },
  { fault: "callback_garbage",    rate: 0.05 },
  { fault: "callback_late",       rate: 0.1, delay_ms: 3_000 },
];

/** Of the payouts that the gateway takes, so many fail in the end. */
export const DECLINES = 0.03;
