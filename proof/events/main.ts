/**
 * `npm run events`: a consumer follows the events of the ledger while it and the writers are
 * killed, and fails unless it knows the state of every payout, from numbers without gaps, and soon
 * enough.
 */
import { flagsOf } from "#proof/flags.ts";
import { runEventCampaign } from "./campaign.ts";

/** Time in milliseconds from the commit of a result until the consumer has stored its event. */
const LAG_P99_MAX_MS = 2_000;
const USAGE = "npm run events -- [--payouts N] [--kills N] [--rate N] [--slow-ms N]";
const { values } = flagsOf(USAGE, {
  options: {
    payouts: { type: "string", default: "100000" },
    kills: { type: "string", default: "500" },
    rate: { type: "string", default: "1000" },
    "slow-ms": { type: "string", default: "2000" },
  },
});
const planned = Number(values.kills);
const result = await runEventCampaign({
  payouts: Number(values.payouts),
  kills: planned,
  perSecond: Number(values.rate),
  slowMs: Number(values["slow-ms"]),
});
const { events, kills, wrong, gaps, p50Ms, p99Ms, eventsPerSecond } = result;
process.stdout.write(
  `${events} events, ${eventsPerSecond.toFixed(0)}/s, ${kills} of ${planned} kills, lag p50 ${p50Ms} ms, p99 ${p99Ms} ms (at most ${LAG_P99_MAX_MS})\n` +
    `wrong states: ${wrong.length}, gaps: ${gaps}\n`,
);
for (const each of wrong.slice(0, 20)) process.stdout.write(`  ${each}\n`);
const isMet = wrong.length + gaps === 0 && kills >= planned && p99Ms <= LAG_P99_MAX_MS;
process.exit(isMet ? 0 : 1);
