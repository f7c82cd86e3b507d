import type { z } from "zod";
import type { Limits } from "#api/payout/lanes.ts";
import type { LimitedLane } from "#ledger/ledger.ts";

/** @param exitCodeName returns the display name of an actor. */
export const rateLimitsView = (
  pace: LimitedLane | undefined,
  nameOf: (actor: string) => string = (actor) => actor,
): z.output<typeof Limits> | null =>
  pace
    ? {
        rate: pace.rate,
        concurrency: pace.concurrency,
        slow_rate: pace.slowRate,
        set_by: pace.setBy === null ? null : nameOf(pace.setBy),
        set_at: pace.setAt?.toISOString() ?? null,
      }
    : null;
