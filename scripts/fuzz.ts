/**
 * `npm run fuzz -- --cases N --seed N --files N`: tries every law on N inputs, then compares the
 * two CSV readers on N files. Stops at the first violation and prints the seed that reproduces it.
 * Without --seed every run uses a new seed.
 */
import { parseArgs } from "node:util";
import { compareFiles } from "../test/intake/csv/difference.ts";
import { LAWS } from "../test/laws/all.ts";

const FILES_AT_ONCE = 10_000;

const { values } = parseArgs({
  options: {
    cases: { type: "string", default: "10000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000_000) },
    files: { type: "string", default: "100000" },
  },
});
const [cases, seed, files] = [values.cases, values.seed, values.files].map((text) => {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count >= 0) return count;
  console.error(`not a whole number: ${text}`);
  process.exit(2);
}) as [number, number, number];

const startedMs = performance.now();
const seconds = () => `${Math.round((performance.now() - startedMs) / 1_000)} s`;
try {
  if (cases > 0) await tryLaws();
  if (files > 0) await compareReaders();
} catch (cause) {
  console.error(`${cause instanceof Error ? cause.message : String(cause)}\nseed ${seed}`);
  process.exit(1);
}

async function tryLaws(): Promise<void> {
  let count = 0;
  for (const [area, laws] of Object.entries(LAWS)) {
    for (const { says, hold } of laws) {
      await hold(cases, seed).catch((cause: unknown) => {
        throw new Error(`broken, ${area}: ${says}\n${String(cause)}`);
      });
    }
    count += laws.length;
    console.log(`${area}: ${laws.length} laws hold, ${seconds()}`);
  }
  console.log(`${count} laws hold over ${cases} cases each, seed ${seed}, ${seconds()}`);
}

async function compareReaders(): Promise<void> {
  let read = 0;
  for (let done = 0; done < files; done += FILES_AT_ONCE) {
    read += await compareFiles(seed + done, Math.min(FILES_AT_ONCE, files - done));
    if (process.stdout.isTTY) process.stdout.write(`\r${done} files`);
  }
  const refused = files - read;
  console.log(
    `${files} files from seed ${seed} on: both readers read ${read} alike and refuse ${refused}, ${seconds()}`,
  );
}
