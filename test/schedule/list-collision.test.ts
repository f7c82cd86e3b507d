import { expect, test } from "vitest";
import { listCollision } from "#schedule/list-collision.ts";

const FIRST = new Date("2026-11-30T20:00:00Z");
const batch = (state: string, approvedAt: string | null) => ({
  id: "B1",
  state,
  approvedAt: approvedAt === null ? null : new Date(approvedAt),
});

const WARNS = [
  ["draft", null, /has not finished/],
  ["approved", "2026-11-24T09:00:00Z", /has not finished/],
  ["finished", "2026-11-30T19:30:00Z", /approved on the same day/],
] as const;
const ALLOWS = [
  ["finished", "2026-11-30T10:00:00Z"],
  ["cancelled", "2026-11-30T19:30:00Z"],
] as const;

test.each(WARNS)("warns about a list whose batch is %s, approved at %s", (state, at, says) => {
  expect(listCollision(batch(state, at), FIRST, "Asia/Kolkata")).toMatch(says);
});

test.each(ALLOWS)("accepts a list whose batch is %s, approved at %s", (state, at) => {
  expect(listCollision(batch(state, at), FIRST, "Asia/Kolkata")).toBeNull();
});
