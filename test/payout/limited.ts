import { type LaneRate, UNLIMITED_RATE } from "#payout/lane/rate-limit.ts";

/** Any point in time. */
export const START_MS = 1_700_000_000_000;

/** A lane that a person has limited, in its initial state. */
export const limited = (rate: number | null, concurrency: number | null = null): LaneRate => ({
  ...UNLIMITED_RATE,
  rate,
  concurrency,
});
