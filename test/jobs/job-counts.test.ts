import { expect, test } from "vitest";
import { JobCounts } from "#jobs/job-counts.ts";

test("counts finished and failed jobs of each queue, and drops none that was not reported", () => {
  const counts = new JobCounts();
  counts.count("one", "finished");
  counts.count("one", "failed");
  const taken = counts.drain();
  expect(taken).toEqual([{ queue: "one", finished: 1, failed: 1 }]);
  expect(counts.drain()).toEqual([]);
  counts.count("one", "finished");
  counts.restore(taken);
  expect(counts.drain()).toEqual([{ queue: "one", finished: 2, failed: 1 }]);
});
