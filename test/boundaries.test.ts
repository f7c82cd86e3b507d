import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { BOUNDARIES } from "../boundaries.ts";

const root = join(import.meta.dirname, "..");
const oxlint = join(root, "node_modules", "oxlint", "bin", "oxlint");

interface Report {
  readonly diagnostics: readonly { code: string; filename: string; message: string }[];
  readonly number_of_files: number;
}

function lint(cwd: string, ...paths: string[]): Report {
  const args = [oxlint, "--format=json", ...paths];
  const env = { ...process.env, LINT_TYPES: "no" };
  const run = spawnSync(process.execPath, args, { cwd, env, encoding: "utf8", maxBuffer: 1 << 26 });
  return JSON.parse(run.stdout) as Report;
}

/** One import for every restriction of any folder. */
const EVERYTHING = [
  "#money/money.ts",
  "#payout/payout.ts",
  "#intake/file-reader.ts",
  "#people/roles.ts",
  "#api/api.ts",
  "#ledger/payout/search/payouts.ts",
  "#gateway/wire/cipher.ts",
  "#flows/payout/submit.ts",
  "#http/app/app.ts",
  "#cli/app/main.ts",
  "#app/config.ts",
  "#app/wiring.ts",
  "#base/clock.ts",
  "#jobs/submit.ts",
  "#workers/workers.ts",
  "#simulator/app.ts",
  "../elsewhere.ts",
  "bullmq",
  "fastify",
  "got",
  "undici",
  "kysely",
  "node:child_process",
  "pg",
  "zod",
];

const isIn = (specifier: string, list: readonly string[]): boolean =>
  list.some((entry) => {
    const pattern = entry
      .replaceAll(/[.+]/g, "\\$&")
      .replaceAll("**", "..")
      .replaceAll("*", "[^/]*");
    return new RegExp(`^${pattern.replaceAll("..", ".*")}$`).test(specifier);
  });

describe("the table of allowed imports", () => {
  let place: string;
  let report: Report;
  const fileOf = (files: string): string => files.replace("/**", "/probe.ts");

  // A project of probes: for each place in the table, one file that imports everything.
  beforeAll(() => {
    place = mkdtempSync(join(tmpdir(), "payrun-boundaries-"));
    for (const file of ["package.json", "tsconfig.json", "oxlint.config.ts", "boundaries.ts"]) {
      cpSync(join(root, file), join(place, file));
    }
    symlinkSync(join(root, "node_modules"), join(place, "node_modules"));
    const source = EVERYTHING.map((name, at) => `export { a as a${at} } from "${name}";`).join(
      "\n",
    );
    const probes: Record<string, string> = {
      "src/flows/owners.ts":
        "export const a = () => [process.env, Date.now(), Math.random(), setTimeout, fetch, parseFloat];",
      "src/money/number.ts": "export const a = (text: string) => Number(text);",
    };
    for (const { files } of BOUNDARIES) probes[fileOf(files)] = source;
    for (const [file, text] of Object.entries(probes)) {
      mkdirSync(join(place, dirname(file)), { recursive: true });
      writeFileSync(join(place, file), `${text}\n`);
    }
    report = lint(place, "src", "client", "jobs", "workers", "simulator", "proof", "dashboard");
  });
  afterAll(() => rmSync(place, { recursive: true }));

  const found = (code: string, file: string): string[] =>
    report.diagnostics
      .filter((diagnostic) => diagnostic.code.includes(code) && diagnostic.filename === file)
      .map(({ message }) => message);

  test("lints every probe", () => {
    expect(report.number_of_files).toBe(BOUNDARIES.length + 2);
  });

  test.each(BOUNDARIES)("$files", ({ files, may, mayAsTypes = [] }) => {
    const folder = /^(?:src\/)?(\w+)/.exec(files)?.[1] ?? "";
    const allowed = [...may.filter((entry) => !mayAsTypes.includes(entry)), `#${folder}/**`];
    const refused = EVERYTHING.filter((specifier) => !isIn(specifier, allowed));
    const messages = found("no-restricted-imports", fileOf(files)).join("\n");
    const caught = EVERYTHING.filter((specifier) => messages.includes(`'${specifier}'`));

    expect(refused.length).toBeGreaterThan(0);
    expect(caught).toEqual(refused);
  });

  test("F93 restricts the environment, the time, randomness and the network to their owners, and bans floats from money", () => {
    expect(found("no-process-env", "src/flows/owners.ts")).toHaveLength(1);
    expect(found("no-restricted-properties", "src/flows/owners.ts")).toHaveLength(2);
    expect(found("no-restricted-globals", "src/flows/owners.ts")).toHaveLength(3);
    expect(found("no-restricted-globals", "src/money/number.ts")).toHaveLength(1);
  });
});

test("lints this project's files and finds no violation", () => {
  const sources = spawnSync(
    "find",
    [
      ..."src client jobs workers simulator proof dashboard -name dist -prune -o".split(" "),
      "-name",
      "*.ts",
      "-print",
      "-o",
      "-name",
      "*.tsx",
      "-print",
      "-o",
      "-name",
      "*.js",
      "-print",
    ],
    {
      cwd: root,
      encoding: "utf8",
    },
  ).stdout.split("\n");
  const report = lint(root, "src", "client", "jobs", "workers", "simulator", "proof", "dashboard");

  expect(report.number_of_files).toBe(sources.filter(Boolean).length);
  expect(report.number_of_files).toBeGreaterThan(10);
  const broken = report.diagnostics.filter(({ code }) => /restricted-imports|no-cycle/.test(code));
  expect(broken.map(({ filename, message }) => `${filename}: ${message}`)).toEqual([]);
});
