import { expect, test } from "vitest";
import { breakdownTexts } from "../../dashboard/src/components/payout/status-breakdown-text.ts";

test("calls the money of a batch approved only after its approval", () => {
  const [before, after] = [breakdownTexts(false), breakdownTexts(true)];
  expect(`${before.total} ${before.caption}`).not.toContain("approved");
  expect([after.total, after.caption]).toEqual(["approved", "Approved amount by state"]);
});
