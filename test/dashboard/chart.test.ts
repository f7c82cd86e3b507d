import { expect, test } from "vitest";
import { lonePlaces, pointSize } from "../../dashboard/src/components/chart/day-axis.ts";
import { SECONDS } from "../../dashboard/src/pages/reports/units.ts";

test("enlarges a point without a line, and keeps equal points of later lines visible", () => {
  expect([0, 1, 2, 3].map((place) => pointSize([null, 5, null], place))).toEqual([12, 8, 4, 4]);
  expect(pointSize([3, 5, null], 0)).toBe(4);
  expect(pointSize([null, null], 0)).toBe(4);
});

test("marks values without a neighbour, through which no line goes", () => {
  expect(lonePlaces([5, null, 1, 2, null, 7])).toEqual([0, 5]);
  expect(lonePlaces([null, 0, null])).toEqual([1]);
  expect(lonePlaces([1, 2])).toEqual([]);
});

test("labels an axis of durations with whole seconds, minutes and hours", () => {
  expect(SECONDS.steps?.map(SECONDS.axisText).join(", ")).toBe(
    "1 s, 2 s, 5 s, 10 s, 20 s, 30 s, 1 min, 2 min, 5 min, 10 min, 20 min, 30 min, 1 h, 2 h, 4 h, 6 h, 12 h, 24 h, 48 h",
  );
});
