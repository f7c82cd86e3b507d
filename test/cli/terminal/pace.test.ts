import { expect, test } from "vitest";
import { rateMeter, rateText, timeLeftText } from "#cli/terminal/pace.ts";

test("measures the rate of the last ten seconds, once two seconds have passed", () => {
  let nowMs = 0;
  const rateOf = rateMeter({ monotonicMs: () => nowMs });
  const after = (seconds: number, done: number) => {
    nowMs = seconds * 1_000;
    return rateOf(done);
  };
  expect(after(0, 0)).toBeNull();
  expect(after(1, 100)).toBeNull();
  expect(after(2, 200)).toBe(100);
  expect(after(11, 1_100)).toBe(100);
  expect(after(20, 1_100)).toBe(0);
});

test("writes rates per second, and slow ones per minute", () => {
  expect([12.4, 1_200, 0.5].map(rateText)).toEqual(["13/s", "1,200/s", "30/min"]);
  expect([null, 0].map(rateText)).toEqual(["", ""]);
});

test("writes the time left in a fitting unit, or nothing while it is unknown", () => {
  const left = (seconds: number) => timeLeftText(seconds, 1);
  expect([5, 150, 5_400].map(left)).toEqual(["5 s left", "3 min left", "1.5 h left"]);
  expect([timeLeftText(5, null), timeLeftText(5, 0), timeLeftText(0, 1)]).toEqual(["", "", ""]);
});
