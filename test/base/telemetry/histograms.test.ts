import { expect, test } from "vitest";
import { DurationHistogram } from "#base/telemetry/histograms.ts";
import { durationsText } from "#base/telemetry/prometheus-text.ts";

const make = () => new DurationHistogram("call_duration_seconds", "Calls.", ["call", "result"]);

test("counts each duration in the first bucket that is not below it", () => {
  const histogram = make();
  for (const seconds of [0.001, 0.0011, 31]) histogram.record(seconds, "a", "ok");
  const [series] = histogram.series();
  expect(series).toMatchObject({ labels: ["a", "ok"], count: 3 });
  expect(series?.counts.slice(0, 3)).toEqual([1, 1, 0]);
  expect(series?.counts.at(-1)).toBe(1);
  expect(series?.sumSeconds).toBeCloseTo(31.0021);
});

test("writes cumulative buckets, the sum and the count, with escaped labels", () => {
  const histogram = make();
  histogram.record(0.02, 'a"b', "ok");
  histogram.record(0.004, 'a"b', "ok");
  const lines = durationsText([histogram]).trimEnd().split("\n");
  expect(lines).toEqual(
    expect.arrayContaining([
      "# HELP payrun_call_duration_seconds Calls.",
      "# TYPE payrun_call_duration_seconds histogram",
      'payrun_call_duration_seconds_bucket{call="a\\"b",result="ok",le="0.0025"} 0',
      'payrun_call_duration_seconds_bucket{call="a\\"b",result="ok",le="0.005"} 1',
      'payrun_call_duration_seconds_bucket{call="a\\"b",result="ok",le="0.025"} 2',
      'payrun_call_duration_seconds_bucket{call="a\\"b",result="ok",le="+Inf"} 2',
      'payrun_call_duration_seconds_sum{call="a\\"b",result="ok"} 0.024',
      'payrun_call_duration_seconds_count{call="a\\"b",result="ok"} 2',
    ]),
  );
  expect(durationsText([make()])).toBe("");
});

test("counts further label values as other, so that a histogram cannot grow without limit", () => {
  const histogram = make();
  for (let index = 0; index < 1_200; index += 1) histogram.record(1, `call ${index}`, "ok");
  const series = histogram.series();
  expect(series).toHaveLength(1_001);
  expect(series.at(-1)).toMatchObject({ labels: ["other", "other"], count: 200 });
});
