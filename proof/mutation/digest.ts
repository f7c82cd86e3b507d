import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import type { MutationTarget } from "./targets.ts";

const root = join(import.meta.dirname, "..", "..");

/**
 * Files that tests read without importing them: by a term in the test's source, or else by the
 * file's own name.
 */
const READ: readonly { readonly pattern: string; readonly word?: string }[] = [
  { pattern: "samples/**/*.*", word: "samples" },
  { pattern: "test/csv/corpus/*.*", word: "corpus" },
  { pattern: "{docs,test/*}/*.{md,json,txt}" },
];
/** Files that determine how every hunt runs. */
const RUN = [
  "stryker.config.json",
  "proof/mutation/vitest.config.ts",
  "proof/mutation/in-one-thread.ts",
];

/**
 * Digest of everything that the tests of the hunt read and import, however indirectly. `around`:
 * without the hunt's own files and tests, whose changes Stryker detects itself.
 */
export function digestsOf(hunt: MutationTarget): { readonly all: string; readonly around: string } {
  const own = [...hunt.files, ...hunt.tests];
  const files = new Set(own);
  // Iterating over a set includes elements added meanwhile.
  for (const file of files) for (const imported of importsOf(file)) files.add(imported);
  const sources = [...files].map((file) => readFileSync(join(root, file), "utf8"));
  for (const { pattern, word } of READ) {
    for (const file of globSync(pattern, { cwd: root }))
      if (sources.some((source) => source.includes(word ?? basename(file)))) files.add(file);
  }
  const around = [...files, ...RUN].filter((file) => !own.includes(file));
  return { all: digestOf(hunt, [...own, ...around]), around: digestOf(hunt, around) };
}

function digestOf(hunt: MutationTarget, files: readonly string[]): string {
  const hash = createHash("sha256").update(JSON.stringify(hunt));
  for (const file of files.toSorted())
    hash.update(`${file}\n`).update(readFileSync(join(root, file)));
  return hash.digest("hex").slice(0, 16);
}

function importsOf(file: string): readonly string[] {
  if (!file.endsWith(".ts")) return [];
  const source = readFileSync(join(root, file), "utf8");
  return [...source.matchAll(/\b(?:from|import)\s*\(?\s*"((?:#|\.{1,2}\/)[^"]+)"/g)]
    .map(([, name = ""]) => pathOf(name, file))
    .filter((path) => existsSync(join(root, path)));
}

/**
 * As in package.json: `#jobs/…` and similar are folders of the root, every other `#…` is one of
 * src.
 */
function pathOf(name: string, importer: string): string {
  if (!name.startsWith("#")) return relative(root, join(root, dirname(importer), name));
  const path = name.slice(1);
  return /^(?:jobs|workers|simulator|proof)\//.test(path) ? path : `src/${path}`;
}
