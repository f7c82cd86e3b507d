import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { titlesOf } from "./titles.ts";

const root = join(import.meta.dirname, "..", "..");

/** Where faults are proven. What the tests of the simulator say is proven of the simulator alone. */
const FOLDERS = ["test", "proof"];
const NOT_OF_PAYRUN = /^test\/simulator\//;

/** Faults that no test names, and why. A test makes sure that each other one has a test, and none of these. */
export const WITHOUT_TEST: Readonly<Record<string, string>> = {
  F108: "needs the gateway's own list of payments, or the bank's: reconciliation is not built yet",
  F100: "needs a second released version to run beside the first; a job of another version is F21, a newer ledger F101",
};

export interface Fault {
  readonly number: string;
  readonly name: string;
  /** The heading under which docs/faults.md has it. */
  readonly section: string;
}

export interface Proof {
  readonly path: string;
  readonly text: string;
}

/** The faults of docs/faults.md, in its order. */
export function faults(): Fault[] {
  const found: Fault[] = [];
  let section = "";
  for (const line of readFileSync(join(root, "docs", "faults.md"), "utf8").split("\n")) {
    section = /^## (.+)/.exec(line)?.[1] ?? section;
    const [, number, name] = /^\| (F\d+) \| ([^|]+) \|/.exec(line) ?? [];
    if (number && name) found.push({ number, name: name.trim(), section });
  }
  return found;
}

/** Each fault number that a title names, also one that is no fault of ours, with what names it. */
export function proofs(): Map<string, Proof[]> {
  const found = new Map<string, Proof[]>();
  for (const path of FOLDERS.flatMap(sourcesBelow)) {
    for (const { faults: numbers, text } of titlesOf(readFileSync(join(root, path), "utf8"))) {
      for (const number of numbers) {
        found.set(number, [...(found.get(number) ?? []), { path, text }]);
      }
    }
  }
  return found;
}

const sourcesBelow = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".ts") && !NOT_OF_PAYRUN.test(path))
    .sort();
