/**
 * `npm run evidence-packs`: forges evidence packs in many ways, and fails unless payrun and the
 * independent verifier detect every forgery.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "#base/clock.ts";
import { flagsOf } from "#proof/flags.ts";
import { permissionsOf } from "#people/roles.ts";
import { buildPack, type PackOrder } from "#views/integrity/evidence-pack/build.ts";
import { openEmbedded, scratch } from "../../bench/support.ts";
import { originalOf, runCampaign } from "./campaign.ts";
import { createSettledBatch } from "./settled-batch.ts";

const USAGE = "npm run evidence-packs -- [--packs N] [--seed N]";
const { values } = flagsOf(USAGE, {
  options: {
    packs: { type: "string", default: "10000" },
    seed: { type: "string", default: "1" },
  },
});

const folder = scratch();
const payrun = await openEmbedded(folder);
const { ledger, database, sealer, deps } = payrun;
try {
  const startedMs = performance.now();
  const { keyring } = deps;
  const { batchId, codes } = await createSettledBatch(12, "PACK", { ledger, keyring });
  await createSettledBatch(5, "OTHER", { ledger, keyring });
  const person = { id: "proof", permissions: permissionsOf(["auditor"]) };
  const order = { batchId, code: null, isFull: false, person, checkpoint: null };
  const orders: readonly PackOrder[] = [
    order,
    { ...order, isFull: true },
    { ...order, code: codes[0] ?? "" },
  ];
  const originals = [];
  for (const [place, each] of orders.entries()) {
    const { file } = await buildPack(each, { database, sealer, clock: systemClock });
    const path = join(folder, `${place}.zip`);
    await writeFile(path, file.createReadStream({ start: 0 }));
    originals.push(await originalOf(path, (manifest) => sealer.signPack(manifest)));
  }
  const options = { packs: Number(values.packs), seed: Number(values.seed), folder };
  const { forged, undetected } = await runCampaign(originals, options);
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(0);
  for (const [kind, count] of Object.entries(forged)) process.stdout.write(`${kind}: ${count}\n`);
  process.stdout.write(
    `${values.packs} forged packs of ${Object.keys(forged).length} kinds, ${seconds} s, not detected: ${undetected.length}\n`,
  );
  for (const each of undetected.slice(0, 20)) process.stdout.write(`  ${each}\n`);
  process.exitCode = undetected.length === 0 ? 0 : 1;
} finally {
  await payrun.close();
}
