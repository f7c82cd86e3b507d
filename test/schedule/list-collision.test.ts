import { expect, test } from "vitest";
import { listCollision } from "#schedule/list-collision.ts";

const FIRST = new Date("2026-11-30T20:00:00Z");
const batch = (state: string, approvedAt: string | null) => ({
  id: "B1",
  state,
  approvedAt: approvedAt === null ? null : new Date(approvedAt),
});

test.each([
  ["draft", null, /has not finished/],
  ["approved", "2026-11-24T09:00:00Z", /has not finished/],
  ["finished", "2026-11-30T19:30:00Z", /approved on the same day/],
  ["finished", "2026-11-30T10:00:00Z", null],
  ["cancelled", "2026-11-30T19:30:00Z", null],
])("warns about a list whose batch is %s, approved at %s", (state, approvedAt, says) => {
  const collision = listCollision(batch(state, approvedAt), FIRST, "Asia/Kolkata");
  if (says === null) expect(collision).toBeNull();
  else expect(collision).toMatch(says);
});
