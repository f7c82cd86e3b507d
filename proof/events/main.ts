/**
 * `npm run events`: a consumer follows the events of the ledger while it and the writers are
 * killed, and fails unless it knows the state of every payout, from numbers without gaps.
 */
import { flagsOf } from "#proof/flags.ts";
import { runEventCampaign } from "./campaign.ts";

const USAGE = "npm run events -- [--payouts N] [--kills N] [--rate N] [--slow-ms N]";
const { values } = flagsOf(USAGE, {
  options: {
    payouts: { type: "string", default: "100000" },
    kills: { type: "string", default: "500" },
    rate: { type: "string", default: "1000" },
    "slow-ms": { type: "string", default: "2000" },
  },
});
const result = await runEventCampaign({
  payouts: Number(values.payouts),
  kills: Number(values.kills),
  perSecond: Number(values.rate),
  slowMs: Number(values["slow-ms"]),
});
const { events, kills, wrong, gaps, p50Ms, p99Ms, eventsPerSecond } = result;
process.stdout.write(
  `${events} events, ${eventsPerSecond.toFixed(0)}/s, ${kills} kills, lag p50 ${p50Ms} ms, p99 ${p99Ms} ms\n` +
    `wrong states: ${wrong.length}, gaps: ${gaps}\n`,
);
for (const each of wrong.slice(0, 20)) process.stdout.write(`  ${each}\n`);
process.exit(wrong.length + gaps === 0 ? 0 : 1);
