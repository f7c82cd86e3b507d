import { expect, test } from "vitest";
import { openingText } from "#cli/batch/batch-result.ts";

const stop = (lane: string, reason: string) =>
  ({ lane, reason, needs: "person", stopped_at: "", retry_at: null, breaker: null }) as const;

test("names each stopped lane and the command that opens it in the last lines", () => {
  const paused = "paused by ada: bank holiday; to resume: payrun lane resume M/THB --reason TEXT";
  const [inr, thb, again] = openingText([
    stop("M/INR", "200 payouts are in doubt"),
    stop("M/THB", "the gateway answers with something unknown"),
    stop("M/THB", paused),
  ]);
  expect(inr).toMatch(
    /^→ M\/INR: to see why, run payrun lane show M\/INR\. .* restart the lane: payrun lane restart M\/INR --reason TEXT$/,
  );
  expect(thb).toMatch(
    /^→ M\/THB: .* restart the lane: payrun lane resume M\/THB --reason TEXT, then payrun lane restart M\/THB --reason TEXT$/,
  );
  expect(again).toMatch(/run the same command again/);
  expect(openingText([stop("M/THB", paused)])[0]).not.toContain("lane restart");
});
