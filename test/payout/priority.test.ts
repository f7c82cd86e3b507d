import { expect, test } from "vitest";
import { rankOf } from "#payout/priority.ts";

test("orders urgent before normal and normal before low", () => {
  expect((["urgent", "normal", "low"] as const).map(rankOf)).toEqual([0, 1, 2]);
});
