import { expect, test } from "vitest";
import { findLane } from "#payout/lane/find-lane.ts";

const LANES = ["ACME/INR", "ACME/THB", "OTHER/THB"];

test.each([
  ["ACME/INR", "ACME/INR"],
  ["INR", "ACME/INR"],
  ["inr", "ACME/INR"],
  ["all", "all"],
])("%s names one lane", (typed, lane) => {
  expect(findLane(typed, LANES)).toEqual({ ok: true, value: lane });
});

test.each([
  ["THB", ["ACME/THB", "OTHER/THB"]],
  ["JPY", []],
  ["ACME", []],
])("%s names no single lane", (typed, lanes) => {
  expect(findLane(typed, LANES)).toEqual({ ok: false, error: lanes });
});
