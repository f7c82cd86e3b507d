import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { SABOTAGES } from "../../proof/sabotage/all.ts";
import { sabotaged } from "../../proof/sabotage/sabotage.ts";

test("every sabotage still finds its place in the product, and changes it", () => {
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

test("no two have one name, and there are at least 25", () => {
  expect(new Set(SABOTAGES.map(({ name }) => name)).size).toBe(SABOTAGES.length);
  expect(SABOTAGES.length).toBeGreaterThanOrEqual(25);
});

test("a place that is gone, or that stands twice, is an error", () => {
  const edit = { file: "a.ts", find: "x", replace: "y" };
  expect(() => sabotaged("a", edit)).toThrow("a.ts has 0 places");
  expect(() => sabotaged("x x", edit)).toThrow("a.ts has 2 places");
});
