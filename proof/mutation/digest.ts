import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Hunt } from "./hunts.ts";

const root = join(import.meta.dirname, "..", "..");

/** What tests read without importing it, and what decides how they are run. */
const READ = [
  "samples/**/*.*",
  "docs/{lifecycle,limits}.md",
  "test/csv/corpus/*.*",
  "test/*/*.{json,txt}",
  "stryker.config.json",
  "proof/mutation/vitest.config.ts",
];

/** Of the hunt, and of everything that its tests read and import, however far away. */
export function digestOf(hunt: Hunt): string {
  const files = new Set([...hunt.files, ...hunt.tests]);
  // A set walks on to what is added on the way.
  for (const file of files) for (const imported of importsOf(file)) files.add(imported);
  for (const file of READ.flatMap((pattern) => globSync(pattern, { cwd: root }))) files.add(file);

  const hash = createHash("sha256").update(JSON.stringify(hunt));
  for (const file of [...files].toSorted())
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

/** As package.json has it: `#jobs/…` and the like are folders of the root, every other `#…` is one of src. */
function pathOf(name: string, importer: string): string {
  if (!name.startsWith("#")) return relative(root, join(root, dirname(importer), name));
  const path = name.slice(1);
  return /^(?:jobs|workers|simulator|proof)\//.test(path) ? path : `src/${path}`;
}
