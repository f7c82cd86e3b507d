import { expect, test } from "vitest";
import { MUTATED_FILES, filesWithoutTarget } from "#proof/mutation/targets.ts";

test("assigns tests to every file of the mutated folders, or a reason why not", () => {
  expect(filesWithoutTarget(MUTATED_FILES)).toEqual([]);
});
