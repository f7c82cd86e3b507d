import { expect, test } from "vitest";
import { hasName, hasNumber, plainNumber } from "#ledger/erasure/personal-texts.ts";

const person = {
  numbers: new Set(["5010-0098", "12345", "AB1234"]),
  names: new Set(["Asha Rao", "  "]),
};

test.each([
  ["the account is 5010 0098.", true],
  ["x50100098x", true],
  ["ab1234", true],
  ["12345", false],
  ["5010009", false],
])("finds a number of six or more characters in %j: %s", (text, found) => {
  expect(hasNumber(text, person)).toBe(found);
});

test.each([
  ["Please check ASHA  Rao!", true],
  ["asha, rao", true],
  ["Natasha Rao", false],
  ["Asha Raoul", false],
  ["", false],
])("finds a complete name in %j: %s", (text, found) => {
  expect(hasName(text, person)).toBe(found);
});

test("removes separators from a number", () => {
  expect(plainNumber("1.234,5'6’7-8 A")).toBe("12345678a");
});
