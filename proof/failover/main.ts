/**
 * `npm run redis-failover`: pays a file while the primary of Redis fails, with Sentinel and with
 * Cluster, and prints how long no payout was sent.
 */
import { flagsOf } from "#proof/flags.ts";
import { prepareTests } from "../../scripts/prepare-tests.ts";
import { FAILURES, GROUPS, measureRedisFailover } from "./redis.ts";

const USAGE =
  "npm run redis-failover -- [--group sentinel|cluster] [--failure kill|freeze] [--payouts N] [--down-after MS] [--runs N]";
const { values } = flagsOf(USAGE, {
  options: {
    group: { type: "string" },
    failure: { type: "string" },
    payouts: { type: "string", default: "4000" },
    "down-after": { type: "string", default: "3000" },
    runs: { type: "string", default: "1" },
  },
});
const groups = (Object.keys(GROUPS) as (keyof typeof GROUPS)[]).filter(
  (name) => (values.group ?? name) === name,
);
const failures = FAILURES.filter((name) => (values.failure ?? name) === name);
if (groups.length === 0 || failures.length === 0) {
  console.error(USAGE);
  process.exit(2);
}

/** Sending must resume within this time in milliseconds. */
const PAUSE_MAX_MS = 10_000;

prepareTests();
for (const group of groups) {
  for (const failure of failures) {
    for (let run = 0; run < Number(values.runs); run += 1) {
      const result = await measureRedisFailover({
        group,
        failure,
        payouts: Number(values.payouts),
        downAfterMs: Number(values["down-after"]),
      });
      const { promotedMs, pauseMs, before, states, apart } = result;
      const wrong = Object.values(apart).flat().length;
      console.log(
        `${group}, ${failure}: new primary after ${seconds(promotedMs)} s, no payout sent for ${seconds(pauseMs)} s (${before} of ${values.payouts} accepted before), ${JSON.stringify(states)}, ${wrong} differences`,
      );
      if (wrong > 0 || pauseMs > PAUSE_MAX_MS) process.exitCode = 1;
    }
  }
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}
