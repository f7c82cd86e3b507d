import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { titlesOf } from "./titles.ts";

const root = join(import.meta.dirname, "..", "..");

/** Folders whose titles prove faults. Tests of the simulator prove only the simulator. */
const FOLDERS = ["test", "proof"];
const NOT_OF_PAYRUN = /^test\/simulator\//;

/**
 * Faults without a test, with the reason. A test checks that every other fault has a test, and
 * that these have none.
 */
export const WITHOUT_TEST: Readonly<Record<string, string>> = {
  F100: "needs the history of the repository, so `.ci/run` runs the [chaos campaign](chaos.md) with `--previous` and not `npm test`. F21 covers jobs from another version, and F101 covers a newer ledger",
};

/** Returns the current text of docs/understand/proof/faults.md. */
export const readFaultsPage = (): string =>
  readFileSync(join(root, "docs/understand/proof/faults.md"), "utf8");

/** Returns the fault numbers of docs/understand/proof/faults.md in their order. */
export const readFaults = (): string[] =>
  [...readFaultsPage().matchAll(/^\| (F\d+) \|/gm)].map(([, number = ""]) => number);

/** Returns the files with titles that name each fault number, including unknown numbers. */
export function testsByFault(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const path of FOLDERS.flatMap(sourcesBelow)) {
    const titles = titlesOf(readFileSync(join(root, path), "utf8"));
    for (const number of new Set(titles.flatMap(({ faults }) => faults))) {
      found.set(number, [...(found.get(number) ?? []), path]);
    }
  }
  return found;
}

const sourcesBelow = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".ts") && !NOT_OF_PAYRUN.test(path))
    .sort();
