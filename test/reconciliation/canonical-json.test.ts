import { expect, test } from "vitest";
import { canonicalJson } from "#reconciliation/canonical-json.ts";

test("writes the keys of every object in order, and lists as they are", () => {
  expect(canonicalJson({ b: { d: 1, c: [2, { f: 3, e: null }] }, a: "x", C: false })).toBe(
    '{"C":false,"a":"x","b":{"c":[2,{"e":null,"f":3}],"d":1}}',
  );
  expect([canonicalJson([]), canonicalJson({}), canonicalJson('"')]).toEqual(["[]", "{}", '"\\""']);
});

test("writes only exact whole numbers", () => {
  expect(canonicalJson(-(2 ** 53) + 1)).toBe("-9007199254740991");
  expect(() => canonicalJson({ a: [0.5] })).toThrow("0.5 is not a whole number");
  expect(() => canonicalJson(2 ** 53)).toThrow("9007199254740992 is not a whole number");
});
