import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { titlesOf } from "./titles.ts";

const root = join(import.meta.dirname, "..", "..");

/** Folders whose titles prove faults. Tests of the simulator prove only the simulator. */
const FOLDERS = ["test", "proof"];
const NOT_OF_PAYRUN = /^test\/simulator\//;

/** Faults without a test, with the reason. A test checks that every other fault has one, and these have none. */
export const WITHOUT_TEST: Readonly<Record<string, string>> = {
  F108: "needs the payment list of the gateway or the bank: reconciliation is not built yet",
  F100: "needs a second released version that runs together with the first; a job of another version is F21, a newer ledger F101",
};

export interface Fault {
  readonly number: string;
  readonly name: string;
  /** Heading of the fault's section in docs/faults.md. */
  readonly section: string;
}

export interface Proof {
  readonly path: string;
  readonly text: string;
}

/** Returns the faults of docs/faults.md in their order. */
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

/** Returns the titles that name each fault number, including unknown numbers. */
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
