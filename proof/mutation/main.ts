/**
 * `npm run mutate -- [FOLDER or FOLDER/FILE …]`: changes the code of the pure folders in thousands
 * of small ways and checks whether a test fails. Without a name it writes mutation.md.
 * With `--at-hand` it uses the existing reports and names the files without one. Fails where a
 * folder keeps too many mutants alive, or where one survives unexplained in a table or the cipher.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { commitOf } from "#proof/commit.ts";
import { flagsOf } from "#proof/flags.ts";
import { digestsOf } from "./digest.ts";
import { EXPLAINED_SURVIVORS, NOT_MUTATED, TABLES } from "./explained-survivors.ts";
import {
  MUTATED_FILES,
  MUTATED_FOLDERS,
  filesWithoutTarget,
  type MutationTarget,
  MUTATION_TARGETS,
} from "./targets.ts";

const SCORE_MIN = 85;
const root = join(import.meta.dirname, "..", "..");

interface Mutant {
  readonly mutatorName: string;
  readonly replacement: string;
  readonly status: "Killed" | "Timeout" | "Survived" | "NoCoverage" | "Ignored" | "RuntimeError";
  readonly location: { readonly start: Place; readonly end: Place };
}
interface Place {
  readonly line: number;
  readonly column: number;
}
interface Report {
  readonly files: Readonly<
    Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>
  >;
}
interface Found {
  readonly file: string;
  readonly line: number;
  readonly original: string;
  readonly replacement: string;
  readonly status: Mutant["status"];
}

const USAGE = `npm run mutate -- [--at-hand] [FOLDER…], where FOLDER is below src, as "payout"; --at-hand draws the page from the existing reports`;
const { positionals, values } = flagsOf(USAGE, {
  allowPositionals: true,
  options: { "at-hand": { type: "boolean", default: false } },
});
const wanted = positionals.length > 0 ? positionals : MUTATED_FOLDERS;
const isWanted = ({ files }: MutationTarget) =>
  wanted.some((start) => files.some((file) => file.startsWith(`src/${start}`)));
const isReady = (hunt: MutationTarget) => !values["at-hand"] || existsSync(pathsOf(hunt).kept);
if (!values["at-hand"]) checkAllHaveTargets();
const found = MUTATION_TARGETS.filter(isWanted).filter(isReady).flatMap(mutantsOf);

/** A new file needs a hunt or a reason. */
function checkAllHaveTargets(): void {
  const forgotten = filesWithoutTarget(MUTATED_FILES);
  if (forgotten.length === 0) return;
  console.error(`in no hunt of proof/mutation/targets.ts: ${forgotten.join(", ")}`);
  process.exit(1);
}

/**
 * The report of one hunt: the existing one if nothing that affects it has changed. If only its own
 * files or tests have, Stryker retries the affected mutants.
 */
function reportOf(hunt: MutationTarget): Report {
  const { files, tests } = hunt;
  const { kept, before } = pathsOf(hunt);
  if (!existsSync(kept)) {
    const stryker = join(root, "node_modules", "@stryker-mutator", "core", "bin", "stryker.js");
    forgetSurvivors(before);
    const options = ["--mutate", files.join(","), "--incremental", "--incrementalFile", before];
    const run = spawnSync(process.execPath, [stryker, "run", ...options], {
      cwd: root,
      stdio: "inherit",
      env: {
        ...process.env,
        MUTATE_TESTS: tests.join(","),
        // Stryker starts the `node` of the PATH, which may be too old for the tests.
        PATH: [dirname(process.execPath), process.env["PATH"]].filter(Boolean).join(":"),
      },
    });
    if (run.status !== 0) process.exit(run.status ?? 1);
    renameSync(join(root, ".stryker", "report.json"), kept);
  }
  return JSON.parse(readFileSync(kept, "utf8")) as Report;
}

function pathsOf(hunt: MutationTarget): { readonly kept: string; readonly before: string } {
  const { all, around } = digestsOf(hunt);
  const start = join(root, ".stryker", basename(hunt.files[0] ?? "", ".ts"));
  return { kept: `${start}.${all}.json`, before: `${start}.${around}.incremental.json` };
}

/**
 * Retries survivors: for code that runs once, when it is loaded, Stryker cannot tell which new
 * tests concern it.
 */
function forgetSurvivors(path: string): void {
  if (!existsSync(path)) return;
  const report = JSON.parse(readFileSync(path, "utf8")) as Report;
  const files = Object.entries(report.files).map(([name, file]) => [
    name,
    { ...file, mutants: file.mutants.filter((mutant) => !isAlive(mutant)) },
  ]);
  writeFileSync(path, JSON.stringify({ ...report, files: Object.fromEntries(files) }));
}

function mutantsOf(hunt: MutationTarget): readonly Found[] {
  const report = reportOf(hunt);
  return Object.entries(report.files).flatMap(([file, { source, mutants }]) =>
    mutants.map((mutant): Found => {
      const { start, end } = mutant.location;
      const lines = source.split("\n").slice(start.line - 1, end.line);
      lines[lines.length - 1] = lines.at(-1)?.slice(0, end.column - 1) ?? "";
      const original = lines.join("\n").slice(start.column - 1);
      return {
        file,
        line: start.line,
        original,
        replacement: mutant.replacement,
        status: mutant.status,
      };
    }),
  );
}

function isAlive({ status }: Pick<Mutant, "status">): boolean {
  return status === "Survived" || status === "NoCoverage";
}
const isCounted = (mutant: Found) =>
  isAlive(mutant) || ["Killed", "Timeout"].includes(mutant.status);
const why = ({ file, original, replacement }: Found) =>
  EXPLAINED_SURVIVORS.find(
    (known) =>
      known.file === file && known.original === original && known.replacement === replacement,
  )?.why;
const scoreOf = (mutants: readonly Found[]): number => {
  const counted = mutants.filter(isCounted);
  return (100 * counted.filter((mutant) => !isAlive(mutant)).length) / Math.max(counted.length, 1);
};
const rowOf = (name: string, mutants: readonly Found[]): string => {
  const count = (...wanted: Mutant["status"][]) =>
    mutants.filter(({ status }) => wanted.includes(status)).length;
  const killed = count("Killed", "Timeout");
  return `| ${name} | ${mutants.filter(isCounted).length} | ${killed} | ${count("Survived")} | ${count("NoCoverage")} | ${scoreOf(mutants).toFixed(1)}% |`;
};
const inFolder = (start: string) => found.filter(({ file }) => file.startsWith(`src/${start}`));
const inFile = (name: string) => found.filter(({ file }) => file === name);

const weak = wanted.filter((name) => scoreOf(inFolder(name)) < SCORE_MIN);
const unexplained = found.filter(
  (mutant) => TABLES.includes(mutant.file) && isAlive(mutant) && !why(mutant),
);
const stale = EXPLAINED_SURVIVORS.filter(
  (known) =>
    inFile(known.file).length > 0 &&
    !inFile(known.file).some(
      (mutant) =>
        isAlive(mutant) &&
        mutant.original === known.original &&
        mutant.replacement === known.replacement,
    ),
);

if (positionals.length === 0)
  writeFileSync(join(root, "docs/understand/proof/mutation.md"), page());
for (const name of wanted) console.log(`${name}: ${scoreOf(inFolder(name)).toFixed(1)}% killed`);
for (const name of weak) console.error(`${name} is below ${SCORE_MIN}%`);
for (const { file, line, original, replacement } of unexplained)
  console.error(`survives unexplained: ${file}:${line} ${original} → ${replacement}`);
for (const { file, original } of stale)
  console.error(`explained but not alive: ${file} ${original}`);
process.exit(weak.length + unexplained.length + stale.length > 0 ? 1 : 0);

function page(): string {
  const head = "| | Mutants | Killed | Survived | Not reached | Score |\n|---|---|---|---|---|---|";
  const explained = EXPLAINED_SURVIVORS.map(
    ({ file, original, replacement, why: reason }) =>
      `| ${file} | ${code(original)} | ${code(replacement)} | ${reason} |`,
  );
  const notMutated = [...Map.groupBy(NOT_MUTATED, ({ why: reason }) => reason)].map(
    ([reason, files]) => `- ${files.map(({ path }) => `\`${path}\``).join(", ")}: ${reason}`,
  );
  const hunted = new Set(found.map(({ file }) => file));
  const missing = filesWithoutTarget(hunted).map(
    (file) => `- \`${file}\`: not mutated on this version yet`,
  );
  return `# Mutation testing

For developers. Written by \`npm run mutate\` on ${new Date().toISOString().slice(0, 10)}, at commit ${commitOf()}. Stryker makes small changes to the code, one at a time: to an
operator, a boundary or a text, or by removing a line. A change that no test detects is a surviving mutant. The command fails if the score
of any folder is below ${SCORE_MIN}%.

## Folders

${head}
${wanted.map((name) => rowOf(`\`src/${name}\``, inFolder(name))).join("\n")}
${rowOf("all", found)}

Not mutated:

${[...notMutated, ...missing].join("\n")}

## Tables and cipher

Tables and the cipher decide what happens to money. The command fails if a surviving mutant in these files has no explanation.

${head}
${TABLES.map((name) => rowOf(`\`${name}\``, inFile(name))).join("\n")}

## Other files

${head}
${[...hunted]
  .filter((name) => !TABLES.includes(name))
  .map((name) => rowOf(`\`${name}\``, inFile(name)))
  .join("\n")}

## Explained surviving mutants

| File | Code | Changed to | Reason for having no test |
|---|---|---|---|
${explained.join("\n")}
`;
}

/** A piece of code for a cell of a table. */
function code(text: string): string {
  const line = text.replace(/\s+/g, " ").replaceAll("|", "\\|");
  return `\`${line.length > 80 ? `${line.slice(0, 79)}…` : line}\``;
}
