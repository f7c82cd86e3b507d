import { expect, test } from "vitest";
import { ALL_HUNTED, filesMissingFrom } from "#proof/mutation/hunts.ts";

test("assigns tests to every file of the mutated folders, or a reason why not", () => {
  expect(filesMissingFrom(ALL_HUNTED)).toEqual([]);
});
