import { expect, test } from "vitest";
import { ratioMessages } from "../../dashboard/src/pages/approval/sheet/ratio-messages.ts";

test.each([
  ["1000.00", "100.00", "10", "10 times"],
  ["250.00", "100.00", "2.5", "2.5 times"],
  ["10.00", "100.00", "0.1", "about a tenth of"],
  ["50.00", "100.00", "0.5", "about half"],
  ["16.00", "100.00", "0.1", "about 1/6 of"],
] as const)("says how large %s is compared with %s", (amount, other, times, text) => {
  expect(ratioMessages.share(amount, other, times)).toBe(text);
});
