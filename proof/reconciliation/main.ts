/**
 * `npm run reconciliation`: generates days with known defects, reconciles them through the ledger,
 * and fails unless every defect is found as a break of the right class, each class occurs, and no
 * other break is found.
 */
import { join } from "node:path";
import { startEmbedded } from "#ledger/embedded/start.ts";
import { flagsOf } from "#proof/flags.ts";
import { openEmbedded, scratch } from "../../bench/support.ts";
import { runCampaign } from "./campaign.ts";

const USAGE = "npm run reconciliation -- [--days N] [--rows N] [--seed N]";
const { values } = flagsOf(USAGE, {
  options: {
    days: { type: "string", default: "200" },
    rows: { type: "string", default: "10000" },
    seed: { type: "string", default: "1" },
  },
});
const options = {
  days: Number(values.days),
  rows: Number(values.rows),
  seed: Number(values.seed),
};

const folder = scratch();
const payrun = await openEmbedded(folder);
const { ownerUrl } = await startEmbedded(join(folder, "data"));
try {
  const startedMs = performance.now();
  const result = await runCampaign(options, { ...payrun, ownerUrl });
  const { falseBreaks, missed, loadedDamaged, notRepeatable, lines, expected } = result;
  const seconds = (performance.now() - startedMs) / 1_000;
  const perDay = (seconds / options.days).toFixed(1);
  const counts = Object.entries(expected).map(([kind, count]) => `${kind} ${count}`);
  const notTested = Object.keys(expected).filter((kind) => expected[kind] === 0);
  process.stdout.write(
    `${options.days} days, ${lines} lines, ${seconds.toFixed(0)} s (${perDay} s per day), expected: ${counts.join(", ")}\n` +
      `missed: ${missed.length}, false: ${falseBreaks.length}, damaged files loaded: ${loadedDamaged.length}, ` +
      `days that changed when repeated: ${notRepeatable.length}\n`,
  );
  const wrong = [...notTested, ...missed, ...falseBreaks, ...loadedDamaged, ...notRepeatable];
  for (const each of wrong.slice(0, 20)) process.stdout.write(`  ${each}\n`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
} finally {
  await payrun.close();
}
