import { type LanePace, NO_PACE } from "#payout/lane-pace.ts";

/** Any moment. */
export const START_MS = 1_700_000_000_000;

/** A lane that a person has limited, at its beginning. */
export const limited = (rate: number | null, concurrency: number | null = null): LanePace => ({
  ...NO_PACE,
  rate,
  concurrency,
});
