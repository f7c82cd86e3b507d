/**
 * `npm run sabotage`: makes every mistake of the table in a copy of the product, one at a time, and
 * reports what caught it after how many runs. A mistake that nothing catches is a defect of the
 * proof, and makes the command fail. An existing report keeps the lines of builds that are not run
 * again.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { flagsOf } from "#proof/flags.ts";
import { SABOTAGES } from "./all.ts";
import { Build } from "./build.ts";
import { type Caught, merged, readReport } from "./report.ts";
import type { Sabotage } from "./sabotage.ts";

const USAGE =
  "npm run sabotage -- [--only TEXT] [--seeds N] [--runs N] [--report FILE], where TEXT is part of a line as `simulation: no compare-and-set`";
const { values } = flagsOf(USAGE, {
  options: {
    only: { type: "string", default: "" },
    seeds: { type: "string", default: "3" },
    runs: { type: "string", default: "10000" },
    report: { type: "string" },
  },
});

/** The check that caught a mistake first, and its run. Null: no check failed. */
interface Found {
  readonly check: string;
  readonly what: string;
  readonly run: number;
}

const CHAOS_RUNS = 5;
const build = new Build();
const reportFile = join(build.folder, "report.json");

/** Runs a program of the copy and reads its report. Null: it wrote none. */
function reportOf(program: string, args: readonly string[]): Record<string, unknown> | null {
  rmSync(reportFile, { force: true });
  const run = spawnSync(process.execPath, [program, ...args, "--report", reportFile], {
    cwd: build.folder,
    stdio: ["ignore", "ignore", "pipe"],
    encoding: "utf8",
  });
  try {
    return JSON.parse(readFileSync(reportFile, "utf8")) as Record<string, unknown>;
  } catch {
    throw new Error(
      `${program} exited with ${run.status} without a report:\n${run.stderr.slice(-2_000)}`,
    );
  }
}

function simulation(seed: number, runsMax: number): Found | null {
  const args = ["--seed", `${seed}`, "--runs", `${runsMax}`];
  const report = reportOf("proof/simulation/main.ts", args) as unknown as {
    failure: { seed: number; violation: { invariant: string; what: string } } | null;
  };
  if (!report.failure) return null;
  const { seed: at, violation } = report.failure;
  return { check: violation.invariant, what: violation.what, run: at - seed + 1 };
}

function chaos(seed: number, runsMax: number, size: Sabotage["size"]): Found | null {
  for (let run = 1; run <= runsMax; run++) {
    const options = { payouts: "300", kills: "12", ...size, seed: `${seed + run}` };
    const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
    const report = reportOf("proof/chaos/main.ts", args) as unknown as {
      verdict: { violations: { check: string; about: string; text: string }[] };
      restSeconds: number | null;
    };
    const { violations } = report.verdict;
    const [first] = violations;
    const check = [...new Set(violations.map((violation) => violation.check))].join(", ");
    if (first) return { check, what: `${first.about}: ${first.text}`, run };
    if (report.restSeconds === null) return { check: "I2", what: "not at rest in time", run };
  }
  return null;
}

/** A scenario test has no seeds: it runs once, and its tests pass or fail. */
function scenarioTest(tests: string): Found | null {
  const run = spawnSync(
    process.execPath,
    ["node_modules/vitest/vitest.mjs", "run", `test/${tests}.test.ts`],
    { cwd: build.folder, env: { ...process.env, NO_COLOR: "1" }, encoding: "utf8" },
  );
  const what = /AssertionError: ?(.*)/.exec(run.stdout + run.stderr)?.[1];
  return run.status === 0
    ? null
    : { check: basename(tests), what: what ?? `exited with ${run.status}`, run: 1 };
}

/** A check that fails without a mistake would count as a catch in every other build. */
const sound = new Set<string>();

function control({ caughtBy, tests = "" }: Sabotage): void {
  const by = `${caughtBy} ${tests}`;
  if (sound.has(by)) return;
  const hunts = { simulation: () => simulation(1, 20), chaos: () => chaos(1, 1, {}) };
  const found = caughtBy === "drill" ? scenarioTest(tests) : hunts[caughtBy]();
  if (found) throw new Error(`${by} fails without any mistake: ${found.check}: ${found.what}`);
  sound.add(by);
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

function runSabotage(sabotage: Sabotage): Caught {
  control(sabotage);
  const undo = build.apply(sabotage);
  const seeds = Array.from({ length: Number(values.seeds) }, (_, i) => 1 + i * 1_000_000);
  const hunts = {
    simulation: () => seeds.map((seed) => simulation(seed, Number(values.runs))),
    chaos: () => [chaos(1, CHAOS_RUNS, sabotage.size)],
    drill: () => [scenarioTest(sabotage.tests ?? "")],
  };
  const found = hunts[sabotage.caughtBy]();
  undo();
  const { name, breaks, caughtBy } = sabotage;
  const hits = found.filter((hit) => hit !== null);
  const checks = [...new Set(hits.map(({ check }) => check))];
  return {
    name,
    breaks,
    caughtBy,
    checks,
    what: hits[0]?.what ?? null,
    runs: found.map((hit) => hit?.run ?? null),
  };
}

function write(file: string, result: Caught): void {
  const names = SABOTAGES.map(({ name }) => name);
  const report = merged(readReport(file), [result], names);
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
}

const chosen = SABOTAGES.filter(({ name, caughtBy }) =>
  `${caughtBy}: ${name}`.includes(values.only),
);
let missed = 0;
try {
  for (const sabotage of chosen) {
    const result = runSabotage(sabotage);
    if (values.report) write(values.report, result);
    const isMissed = result.runs.includes(null);
    if (isMissed) missed += 1;
    const after = isMissed ? "MISSED" : `after ${median(result.runs.map(Number))}`;
    console.log(`${after.padEnd(12)}${result.checks.join(",").padEnd(8)} ${result.name}`);
    if (result.what) console.log(`${" ".repeat(21)}${result.what.slice(0, 160)}`);
  }
} finally {
  build.remove();
}
console.log(`${chosen.length - missed} of ${chosen.length} sabotaged builds caught`);
process.exitCode = missed === 0 ? 0 : 1;
