/**
 * `npm run erasure`: plants people in a ledger, erases them, destroys the old key, and searches for
 * them in the database, WAL archive, dumps, archive files and logs. Fails unless everyone is found
 * before the erasure, and no one afterwards.
 */
import { flagsOf } from "#proof/flags.ts";
import { runErasureCampaign } from "./campaign.ts";

const USAGE = "npm run erasure -- [--people N]";
const { values } = flagsOf(USAGE, { options: { people: { type: "string", default: "20" } } });

const startedMs = performance.now();
const result = await runErasureCampaign({ people: Number(values.people) });
const print = (text: string) => process.stdout.write(`${text}\n`);
for (const [column, count] of Object.entries(result.columns)) {
  print(`${column}: ${count} encrypted texts of planted people`);
}
for (const { place, megabytes, sealed, before, after, plain } of result.places) {
  print(
    `${place} (${megabytes} MB): ${sealed} encrypted texts found; readable people before ${before}, after ${after}; without a key ${plain.join(", then ")}`,
  );
}
const seconds = ((performance.now() - startedMs) / 1_000).toFixed(0);
const readable = result.places.reduce((sum, { after }) => sum + after, 0);
print(
  `${result.people} planted people, ${seconds} s, readable after the erasure: ${readable}; old key trees that open: ${result.oldTrees}; payouts of others lost: ${result.lost}; unknown columns: ${result.unknown.join(", ") || "none"}`,
);
const isFound = ["data directory", "WAL archive", "dumps", "archive files", "uploaded files"].every(
  (name) => result.places.some(({ place, before }) => place === name && before === result.people),
);
const isProven = isFound && readable + result.oldTrees + result.lost + result.unknown.length === 0;
process.exitCode = isProven ? 0 : 1;
