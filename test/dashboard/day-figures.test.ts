import { expect, test } from "vitest";
import { messages } from "../../dashboard/src/pages/days/messages.tsx";

test.each([
  [0, 0, ""],
  [1, 0, "1 payout in the list counts on another day"],
  [
    2,
    1,
    "2 payouts in the list count on another day; 1 payout settled on another day and counts here",
  ],
  [0, 3, "3 payouts settled on another day and count here"],
])("%i payouts that count elsewhere and %i from elsewhere are noted", (out, into, text) => {
  expect(messages.day.countedElsewhere(out, into)).toBe(text);
});
