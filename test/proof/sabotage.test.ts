import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { SABOTAGES } from "../../proof/sabotage/all.ts";
import { PARTS } from "../../proof/sabotage/build.ts";
import { type Caught, merged } from "../../proof/sabotage/report.ts";
import { sabotaged } from "../../proof/sabotage/sabotage.ts";

test("finds the place of every sabotage in the product, and changes it", () => {
  for (const { name, edits } of SABOTAGES) {
    const texts = new Map<string, string>();
    for (const edit of edits) {
      const before = texts.get(edit.file) ?? readFileSync(edit.file, "utf8");
      const after = sabotaged(before, edit);
      expect(after, name).not.toBe(before);
      texts.set(edit.file, after);
    }
  }
});

test("names a test file for every sabotage that a drill catches", () => {
  const drills = SABOTAGES.flatMap(({ tests }) => tests ?? []);
  expect(drills).not.toEqual([]);
  for (const tests of drills) expect(existsSync(`test/${tests}.test.ts`), tests).toBe(true);
});

test("copies every folder that the drills import", () => {
  const files = globSync(["proof/**/*.ts", "test/proof/**/*.ts", "test/support/**/*.ts"]);
  const imported = files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/(?:from |import\()"(\.[^"]+)"/g)].map(
      ([, path = ""]) => join(dirname(file), path).split("/")[0],
    ),
  );
  expect([...new Set(imported)].filter((folder) => !PARTS.includes(folder ?? ""))).toEqual([]);
});

test("defines at least 25 sabotages with distinct names", () => {
  expect(new Set(SABOTAGES.map(({ name }) => name)).size).toBe(SABOTAGES.length);
  expect(SABOTAGES.length).toBeGreaterThanOrEqual(25);
});

test("refuses a place that is missing or occurs twice", () => {
  const edit = { file: "a.ts", find: "x", replace: "y" };
  expect(() => sabotaged("a", edit)).toThrow("a.ts has 0 places");
  expect(() => sabotaged("x x", edit)).toThrow("a.ts has 2 places");
});

test("replaces the line of a repeated build, and removes the line of a deleted sabotage", () => {
  const line = (name: string, run: number): Caught => ({
    name,
    breaks: "I1",
    caughtBy: "simulation",
    checks: ["I1"],
    what: null,
    runs: [run],
  });
  const earlier = [line("third", 1), line("gone", 1), line("first", 1)];
  expect(
    merged(earlier, [line("third", 2), line("second", 2)], ["first", "second", "third"]),
  ).toEqual([line("first", 1), line("second", 2), line("third", 2)]);
});
