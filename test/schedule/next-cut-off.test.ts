import { expect, test } from "vitest";
import { nextCutOffs } from "#schedule/next-cut-off.ts";

const cutOffs = new Map([
  ["INR", { time: "18:30", zone: "Asia/Kolkata" }],
  ["M1/JPY", { time: "14:30", zone: "Asia/Tokyo" }],
]);
const holidays = new Map([["INR", new Set(["2026-11-27"])]]);

test.each([
  // Thursday, 15:17 in Kolkata and 18:47 in Tokyo.
  ["2026-11-26T09:47:00Z", ["INR 2026-11-26T18:30", "M1/JPY 2026-11-27T14:30"]],
  ["2026-11-26T13:00:00Z", ["INR 2026-11-26T18:30", "M1/JPY 2026-11-27T14:30"]],
  // After the cut-off of Thursday: Friday is a holiday of INR, and then comes a weekend.
  ["2026-11-26T13:01:00Z", ["M1/JPY 2026-11-27T14:30", "INR 2026-11-30T18:30"]],
  ["2026-11-28T00:00:00Z", ["M1/JPY 2026-11-30T14:30", "INR 2026-11-30T18:30"]],
])("at %s the next cut-offs are %j", (now, expected) => {
  const found = nextCutOffs({ cutOffs, holidays }, new Date(now));
  expect(found.map(({ of, local }) => `${of} ${local}`)).toEqual(expected);
});
