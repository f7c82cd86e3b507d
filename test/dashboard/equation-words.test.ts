import { expect, test } from "vitest";
import { equationWords } from "../../dashboard/src/components/equation-words.ts";

test("the money of a batch is called approved when somebody has approved it, and not before", () => {
  const [before, after] = [equationWords(false), equationWords(true)];
  expect(`${before.total} ${before.caption}`).not.toContain("approved");
  expect([after.total, after.caption]).toEqual([
    "approved",
    "What was approved, and what became of it",
  ]);
});
