/** How long the gateway works on a payout that it takes slowly; longer than payrun's timeout. */
export const SLOW_STORE_MS = 3_500;

const IN_DOUBT_CURRENCY = "KRW";

/** Share of the payout requests that leave payrun in doubt: the first block of the faults below. */
const DOUBT_SHARE = 0.2;
/**
 * Average time in seconds that a payout is in doubt, as if the strikes took their planned time. A
 * lost request is sent again after several answers over at least twice {@link SLOW_STORE_MS}, and
 * strikes delay both: 27 s in the limited lane (15 in doubt at 2.8 payouts per second) while the
 * strikes took 1.7 times their planned time, and a quarter more, so that the lane keeps up.
 */
const DOUBT_SECONDS = 20;

/**
 * Maximum number of payouts of one lane in doubt. It is the number that would be in doubt on
 * average without a limit (rate of doubts × their duration), so the lane reaches the limit again
 * and again, and still keeps up with the files. A limit below would delay the rest of the lane for
 * longer than a campaign waits.
 *
 * @param lanePerSecond average payouts per second of the lane during the strikes.
 */
export const inDoubtLimitFor = (lanePerSecond: number) => ({
  currency: IN_DOUBT_CURRENCY,
  payouts: Math.max(3, Math.ceil(lanePerSecond * DOUBT_SHARE * DOUBT_SECONDS)),
});

/**
 * The gateway's misbehaviour, as rules of docs/start/simulator.md. The first block leaves payrun in
 * doubt: each share is of all payout requests, about a fifth together.
 */
// biome-ignore format: one line per fault
export const GATEWAY_FAULTS: readonly Readonly<Record<string, unknown>>[] = [
  { fault: "cut_before",      rate: 0.04 },
  { fault: "reset_before",    rate: 0.02 },
  { fault: "http_502_before", rate: 0.03 },
  { fault: "hang_before",     rate: 0.01 },
  { fault: "odd_before",      rate: 0.01 },
  { fault: "late_arrival",    rate: 0.02, delay_ms: 1_500 },
  // Checks the code, works for longer than payrun waits for the answer, and stores the code last.
  { fault: "slow_store",      rate: 0.03, delay_ms: SLOW_STORE_MS },
  { fault: "cut_after",       rate: 0.04 },
  { fault: "http_500_after",  rate: 0.03 },
  { fault: "html_after",      rate: 0.01 },
  { fault: "truncated",       rate: 0.01 },
  { fault: "broken_off",      rate: 0.01 },
  { fault: "hang_after",      rate: 0.01 },

  { fault: "code_121",        rate: 0.02, first: 1 },
  { fault: "slow",            delay_ms: 120 },

  // Payouts in doubt in this lane stay so for one more query, so that the lane reaches its in-doubt
  // limit. Not for several: each wait is a quarter of the elapsed time, which is long for a payout
  // whose worker was killed.
  { fault: "status_500",      currency: IN_DOUBT_CURRENCY, first: 1 },
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

/** Share of accepted payouts that finally fail. */
export const DECLINES = 0.03;
