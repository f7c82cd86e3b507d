import { expect, test } from "vitest";
import { refusalText } from "#flows/payout/retry-refusal-text.ts";

test("does not call payouts declined that may have been returned", () => {
  const text = refusalText("B7QK2M4N8PX", { kind: "paid_again", batchIds: ["B4H8QX2M7KC"] });
  expect(text).toMatch(
    /^These payouts of batch B7QK2M4N8PX are already in retry batch B4H8QX2M7KC\./,
  );
});
