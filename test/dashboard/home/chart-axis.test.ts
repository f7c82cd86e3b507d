import { expect, test } from "vitest";
import { axisOf } from "../../../dashboard/src/pages/operations/home/chart-axis.ts";

test.each([
  [
    "decimals without rounding errors",
    { from: 0, highest: 1.2, unit: null, most: null },
    [0, 0.4, 0.8, 1.2],
  ],
  ["counts as different whole numbers", { from: 0, highest: 1, unit: 1, most: null }, [0, 1, 2, 3]],
  ["no 2.5 for a count", { from: 0, highest: 7, unit: 1, most: null }, [0, 3, 6, 9]],
  ["large counts", { from: 0, highest: 7_400, unit: 1, most: null }, [0, 2_500, 5_000, 7_500]],
  ["whole minutes", { from: 0, highest: 166, unit: 60, most: null }, [0, 60, 120, 180]],
  ["no share above 100%", { from: 90, highest: 100, unit: null, most: 100 }, [90, 94, 98]],
])("labels an axis with %s", (_name, range, ticks) => {
  expect(axisOf(range).ticks).toEqual(ticks);
});

test("ends an axis at its limit", () => {
  expect(axisOf({ from: 90, highest: 100, unit: null, most: 100 }).top).toBe(100);
});
