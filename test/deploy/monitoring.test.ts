/** The alert rules and boards in deploy/, with the metrics that payrun exports. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findPromtool } from "../../scripts/prepare-tests.ts";
import { scratch } from "../support/servers/payrun.ts";

const DEPLOY = join(import.meta.dirname, "../../deploy");
const PROMETHEUS = join(DEPLOY, "prometheus");
const BOARDS = join(DEPLOY, "grafana/dashboards");
const rules = readFileSync(join(PROMETHEUS, "alerts.yml"), "utf8");
const alertsIn = (text: string): readonly string[] =>
  [...text.matchAll(/alert(?:name)?: (\w+)/g)].map(([, name = ""]) => name);

const promtool = (...args: readonly string[]) => {
  const program = findPromtool();
  if (program === undefined) throw new Error("no promtool on this machine");
  return spawnSync(program, args, { cwd: PROMETHEUS, encoding: "utf8" });
};

test("promtool accepts the rules, and their unit tests pass", () => {
  const checked = promtool("check", "rules", "alerts.yml");
  expect(checked.stderr).toBe("");
  expect(checked.status).toBe(0);
  const tested = promtool("test", "rules", "alerts.test.yml");
  expect(tested.stdout + tested.stderr).toContain("SUCCESS");
  expect(tested.status).toBe(0);
});

test("each rule is seen both to fire and to stay silent", () => {
  const cases = readFileSync(join(PROMETHEUS, "alerts.test.yml"), "utf8")
    .split("- eval_time:")
    .flatMap((part) => part.split("- { eval_time:"));
  const silent = new Set(alertsIn(cases.filter((each) => each.includes("exp_alerts: []")).join()));
  const fires = new Set(alertsIn(cases.filter((each) => each.includes("exp_labels")).join()));
  const alerts = alertsIn(rules);
  expect(alerts.length).toBeGreaterThan(10);
  expect(alerts.filter((name) => !fires.has(name))).toEqual([]);
  expect(alerts.filter((name) => !silent.has(name))).toEqual([]);
});

/** The metrics that the page lists. A test compares the page with what payrun exports. */
const exported = new Set(
  [
    ...readFileSync(join(DEPLOY, "..", "docs/operate/metrics.md"), "utf8").matchAll(
      /^- `(payrun_\w+)`/gm,
    ),
  ].map(([, name = ""]) => name),
);
const usedIn = (text: string): readonly string[] => [
  ...new Set(
    [...text.matchAll(/\bpayrun_\w+/g)].map(([name]) =>
      name.replace(/(?<=_seconds)_(?:bucket|sum|count)$/, ""),
    ),
  ),
];

test("the rules and boards use only metrics that payrun exports, and the boards use all", () => {
  const boards = readdirSync(BOARDS).map((name) => readFileSync(join(BOARDS, name), "utf8"));
  const expressions = [...rules.matchAll(/expr: [^\n]+(?:\n {10,}[^\n]+)*/g)].join("\n");
  const shown = boards.flatMap((text) =>
    [...text.matchAll(/"expr": "(.+)"/g)].flatMap(([, expression = ""]) => usedIn(expression)),
  );
  expect(usedIn(expressions).length).toBeGreaterThan(8);
  expect(usedIn(expressions).filter((name) => !exported.has(name))).toEqual([]);
  expect(shown.filter((name) => !exported.has(name))).toEqual([]);
  expect([...exported].filter((name) => !shown.includes(name))).toEqual([]);
});

test("promtool accepts each expression of the boards", () => {
  const expressions = readdirSync(BOARDS).flatMap((name) =>
    (
      JSON.parse(readFileSync(join(BOARDS, name), "utf8")) as {
        panels: { targets: { expr: string }[] }[];
      }
    ).panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  );
  expect(expressions.length).toBeGreaterThan(20);
  const recorded = expressions.map((expr, at) => ({ record: `board:${at}`, expr }));
  const file = JSON.stringify({ groups: [{ name: "boards", rules: recorded }] });
  const path = join(scratch(), "boards.json");
  writeFileSync(path, file);
  const { status, stderr } = promtool("check", "rules", "--lint=none", path);
  expect(stderr).toBe("");
  expect(status).toBe(0);
});
