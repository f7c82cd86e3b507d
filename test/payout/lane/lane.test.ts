import { expect, test } from "vitest";
import { EVERY_LANE, laneName, laneNamed } from "#payout/lane/lane.ts";

test("writes all for every lane, and one lane by its name", () => {
  expect(EVERY_LANE).toBe("*");
  expect(laneNamed("all")).toBe("*");
  expect(laneName("*")).toBe("all");
  for (const name of ["SKU1/INR", "ALL"]) {
    expect(laneNamed(name)).toBe(name);
    expect(laneName(name)).toBe(name);
  }
});
