import { expect, test } from "vitest";
import { messages } from "../../../dashboard/src/pages/intake/batch/messages.tsx";
import { sharesOf } from "../../../dashboard/src/pages/intake/shares.ts";

test.each([
  [
    [1, 1, 1],
    [334, 333, 333],
  ],
  [
    [29, 1, 1],
    [936, 32, 32],
  ],
  [
    [2, 2, 2, 1],
    [286, 286, 285, 143],
  ],
  [[5], [1_000]],
  [
    [0, 0],
    [0, 0],
  ],
])("rounds the shares of %j so that they add up to 100%%", (counts, shares) => {
  expect(sharesOf(counts)).toEqual(shares);
});

test("shows neither 0% for a state with payouts nor 100% for one that lacks some", () => {
  const { share } = messages.status;
  const [most = 0, few = 0] = sharesOf([99_999, 1]);
  expect([share(99_999, 100_000, most), share(1, 100_000, few)]).toEqual([">99.9%", "<0.1%"]);
  expect([share(5, 5, 1_000), share(0, 5, 0), share(1, 3, 333)]).toEqual(["100%", "0%", "33.3%"]);
});
