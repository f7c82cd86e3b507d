import { expect, test } from "vitest";
import { listCollision } from "#schedule/list-collision.ts";

const FIRST = {
  createdAt: new Date("2026-11-30T20:00:00Z"),
  zone: "Asia/Kolkata",
  duplicateDays: 7,
};
const batch = (state: string, sentAt: string | null) => ({
  id: "B1",
  state,
  sentAt: sentAt === null ? null : new Date(sentAt),
});

const WARNS = [
  ["draft", null, /has not finished/],
  ["approved", "2026-11-24T09:00:00Z", /has not finished/],
  ["finished", "2026-11-29T19:30:00Z", /was sent on 2026-11-30, .* block a batch/],
  ["finished_with_exceptions", "2026-11-23T20:00:01Z", /was sent on 2026-11-24/],
] as const;
const ALLOWS = [
  ["finished", "2026-11-23T20:00:00Z"],
  ["cancelled", "2026-11-30T19:30:00Z"],
] as const;

test.each(WARNS)("warns about a list whose batch is %s, sent at %s", (state, at, says) => {
  expect(listCollision(batch(state, at), FIRST)).toMatch(says);
});

test.each(ALLOWS)("accepts a list whose batch is %s, sent at %s", (state, at) => {
  expect(listCollision(batch(state, at), FIRST)).toBeNull();
});
