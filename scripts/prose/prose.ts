/** Counts the constructions and old terms in the texts of this repository. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { MARKERS, type OldTerm, oldTermsOf } from "./prose-rules.ts";
import {
  type Passage,
  passagesOfCode,
  passagesOfMigration,
  passagesOfPage,
  passagesOfStyles,
} from "./prose-texts.ts";

const root = join(import.meta.dirname, "../..");

const NOT_READ = new Set(["node_modules", "dist", "coverage", "samples", "package-lock.json"]);
/** Files that contain the rules, or texts that break them on purpose. */
const RULES = new Set(["scripts/prose/prose-rules.ts", "test/prose.test.ts"]);
/** Files whose text literals are lists of names. */
const LISTS_OF_NAMES = new Set(["proof/mutation/targets.ts", "src/ledger/store/rights.ts"]);
/** The last migration that explains old names. Migrations never change after their release. */
const LAST_OLD_MIGRATION = 56;

/** Markers per folder. A folder or marker that is missing has none. */
export type Counts = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** One use of a marker or an old term. */
export interface Finding {
  readonly place: string;
  readonly words: string;
}

/** Lists the files to read, relative to the root. */
export function proseFiles(folder = ""): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (NOT_READ.has(entry.name) || entry.name.startsWith(".")) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return proseFiles(path);
    return /\.(?:tsx?|js|css|md|sql)$/.test(path) && !RULES.has(path) ? [path] : [];
  });
}

/** Reads the passages of one file. */
export function passagesOf(path: string, source: string): Passage[] {
  if (path.endsWith(".sql")) return passagesOfMigration(path, source);
  if (path.endsWith(".css")) return passagesOfStyles(path, source);
  if (!path.endsWith(".md")) {
    const passages = passagesOfCode(path, source);
    return LISTS_OF_NAMES.has(path) ? passages.filter(({ kind }) => kind !== "string") : passages;
  }
  // The last column of the glossary lists the words to avoid.
  const page =
    path === "docs/reference/glossary.md" ? source.replace(/\|[^|\n]*\|$/gm, "|") : source;
  return passagesOfPage(path, page);
}

/** Reads the passages of these files. */
export const readPassages = (paths: readonly string[]): Passage[] =>
  paths.flatMap((path) => passagesOf(path, readFileSync(join(root, path), "utf8")));

/** The folder whose budget a file uses, at most two levels deep, without `dashboard/src`. */
export function folderOf(path: string): string {
  const folders = dirname(path).split("/");
  return folders.slice(0, path.startsWith("dashboard/src/") ? 3 : 2).join("/");
}

/** Returns every use of a marker. */
export const usesOf = (passages: readonly Passage[], pattern: RegExp): Finding[] =>
  passages.flatMap(({ path, text, lineAt }) =>
    [...text.matchAll(pattern)].map(({ index, 0: words }) => ({
      place: `${path}:${lineAt(index)}`,
      words,
    })),
  );

/** Counts the markers per folder. */
export function countMarkers(passages: readonly Passage[]): Counts {
  const counts: Record<string, Record<string, number>> = {};
  for (const { name, pattern } of MARKERS)
    for (const { place } of usesOf(passages, pattern)) {
      const folder = (counts[folderOf(place)] ??= {});
      folder[name] = (folder[name] ?? 0) + 1;
    }
  return counts;
}

/** Whether the words of this passage are history, which keeps its terms. */
function isHistory({ path, kind }: Passage): boolean {
  return kind === "sql" && Number(/(\d{4})-/.exec(path)?.[1]) <= LAST_OLD_MIGRATION;
}

/** Returns every use of an old term, as `file:line "words" → use term`. */
export function oldTermUses(passages: readonly Passage[], terms: readonly OldTerm[]): string[] {
  const any = new RegExp(terms.map(({ pattern }) => pattern.source).join("|"), "i");
  const suspects = passages
    .filter((passage) => !isHistory(passage))
    // A decision or a migration may quote an old term.
    .map((passage) =>
      /^(?:docs\/decisions|migrations)\//.test(passage.path)
        ? {
            ...passage,
            text: passage.text.replace(/"[^"]*"/g, (quoted) => " ".repeat(quoted.length)),
          }
        : passage,
    )
    .filter(({ text }) => any.test(text));
  return terms.flatMap(({ pattern, use }) =>
    usesOf(suspects, pattern)
      // Capitals are codes in the data of a test.
      .filter(({ words }) => words !== words.toUpperCase())
      .map(({ place, words }) => `${place} "${words}" → use ${use}`),
  );
}

/** Reads the old terms from the glossary. */
export const readOldTerms = (): OldTerm[] =>
  oldTermsOf(readFileSync(join(root, "docs/reference/glossary.md"), "utf8"));

const BUDGET_FILE = join(root, "test/prose-budget.json");

/** Reads the budget of markers per folder. */
export const readBudget = (): Counts => JSON.parse(readFileSync(BUDGET_FILE, "utf8")) as Counts;

/** How far a count may be below its budget before the budget must fall. */
const SLACK = 2;

/** Compares the counts with the budget. */
export function compareWithBudget(
  counts: Counts,
  budget: Counts,
): { readonly above: string[]; readonly below: string[] } {
  const above: string[] = [];
  const below: string[] = [];
  for (const folder of new Set([...Object.keys(counts), ...Object.keys(budget)]).values())
    for (const { name } of MARKERS) {
      const count = counts[folder]?.[name] ?? 0;
      const allowed = budget[folder]?.[name] ?? 0;
      const text = `${folder} ${name}: ${count}, budget ${allowed}`;
      if (count > allowed) above.push(text);
      if (count < allowed - SLACK) below.push(text);
    }
  return { above, below };
}

/** Writes the counts as the new budget. Throws if a count is above the current budget. */
export function lowerBudget(counts: Counts): void {
  const { above } = compareWithBudget(counts, readBudget());
  if (above.length > 0) throw new Error(`The budget never rises:\n${above.join("\n")}`);
  const sorted = Object.keys(counts).sort();
  const budget = Object.fromEntries(sorted.map((folder) => [folder, counts[folder]]));
  writeFileSync(BUDGET_FILE, `${JSON.stringify(budget, null, 2)}\n`);
}
