/**
 * `npm run break-actions`: previews and applies actions on random selections of breaks while others
 * change them. It fails unless each effect is the previewed one or each difference has its reason.
 */
import { join } from "node:path";
import { startEmbedded } from "#ledger/embedded/start.ts";
import { flagsOf } from "#proof/flags.ts";
import { openEmbedded, scratch } from "../../bench/support.ts";
import { runBreakActions } from "./campaign.ts";

const USAGE = "npm run break-actions -- [--runs N] [--seed N]";
const { values } = flagsOf(USAGE, {
  options: {
    runs: { type: "string", default: "10000" },
    seed: { type: "string", default: "1" },
  },
});

const folder = scratch();
const payrun = await openEmbedded(folder);
const { ownerUrl } = await startEmbedded(join(folder, "data"));
try {
  const startedMs = performance.now();
  const options = { runs: Number(values.runs), seed: Number(values.seed) };
  const result = await runBreakActions(options, { ...payrun, ownerUrl });
  const { runs, qualified, changed, left, changes, wrong } = result;
  const texts = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts).map(([name, count]) => `${name} ${count}`);
  process.stdout.write(
    `${runs} actions in ${((performance.now() - startedMs) / 1_000).toFixed(0)} s: ${qualified} breaks previewed, ${changed} changed, ` +
      `left: ${texts(left).join(", ")}\n` +
      `changes by others: ${texts(changes).join(", ")}\n` +
      `wrong: ${wrong.length}\n`,
  );
  for (const each of wrong.slice(0, 20)) process.stdout.write(`  ${each}\n`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
} finally {
  await payrun.close();
}
