import { expect, test } from "vitest";
import { ALL_HUNTED, filesMissingFrom } from "#proof/mutation/hunts.ts";

test("every file of the hunted folders has its tests to be hunted with, or a reason why not", () => {
  expect(filesMissingFrom(ALL_HUNTED)).toEqual([]);
});
