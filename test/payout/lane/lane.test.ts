import { expect, test } from "vitest";
import { EVERY_LANE, nameOfLane, laneFromName } from "#payout/lane/lane.ts";

test("writes all for every lane, and one lane by its name", () => {
  expect(EVERY_LANE).toBe("*");
  expect(laneFromName("all")).toBe("*");
  expect(nameOfLane("*")).toBe("all");
  for (const name of ["SKU1/INR", "ALL"]) {
    expect(laneFromName(name)).toBe(name);
    expect(nameOfLane(name)).toBe(name);
  }
});
