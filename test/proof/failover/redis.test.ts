import { expect, test } from "vitest";
import { FAILURES, GROUPS, measureRedisFailover } from "../../../proof/failover/redis.ts";
import { NO_DIFFERENCE } from "../../support/servers/transaction-log.ts";

const PAYOUTS = 1_500;
const DOWN_AFTER_MS = 1_000;
/** The promotion, and the time in which sending must resume. */
const PAUSE_MAX_MS = 10_000;

const cases = (Object.keys(GROUPS) as (keyof typeof GROUPS)[]).flatMap((group) =>
  FAILURES.map((failure) => ({ group, failure })),
);

test.each(cases)(
  "F16 F19 settles each payout once, and resumes within ten seconds, after a $failure of the primary of a $group",
  { timeout: 300_000 },
  async ({ group, failure }) => {
    const result = await measureRedisFailover({
      group,
      failure,
      payouts: PAYOUTS,
      downAfterMs: DOWN_AFTER_MS,
    });
    expect(result.apart).toEqual(NO_DIFFERENCE);
    expect(result.states).toEqual({ settled: PAYOUTS });
    // The failure came while the batch was being sent.
    expect(result.before).toBeLessThan(PAYOUTS / 2);
    expect(result.pauseMs).toBeLessThan(PAUSE_MAX_MS);
  },
);
