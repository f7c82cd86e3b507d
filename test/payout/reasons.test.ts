import { expect, test } from "vitest";
import {
  causeText,
  type ReasonCode,
  REASONS,
  storedReason,
  reasonCode,
  reasonText,
} from "#payout/reasons.ts";

test("lists the texts of every reason in reasons.txt; npm test -- -u updates it", async () => {
  const told = Object.keys(REASONS).map(
    (code) => `${code}\n  ${reasonText(storedReason(code as ReasonCode, "bank not found"))}\n`,
  );
  await expect(told.join("\n")).toMatchFileSnapshot("reasons.txt");
});

test.each(Object.entries(REASONS))(
  "gives %s sentences that a person can act on",
  (code, sentences) => {
    expect(code).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
    expect(sentences).toMatch(/^[A-Z].{10,}\.$/);
  },
);

test("separates the code of a reason from its details by a colon", () => {
  expect(storedReason("refused")).toBe("refused");
  expect(storedReason("refused", "bank: not found")).toBe("refused: bank: not found");
});

test.each([
  [
    "refused: bank: not found",
    "refused",
    "The gateway refused the payout. Details: bank: not found",
  ],
  ["refused", "refused", "The gateway refused the payout."],
  ["constructor: x", null, "constructor: x"],
  ["", null, ""],
])("reads %j as %s and shows it as %j", (text, code, told) => {
  expect(reasonCode(text)).toBe(code);
  expect(reasonText(text)).toBe(told);
});

test("requires a text for a reason", () => {
  expect(reasonCode(null)).toBeNull();
});

test.each([
  ["refused: bank not found", "bank not found"],
  ["failed_at_gateway", "The gateway accepted the payout and later reported it as failed."],
  [
    "amount_mismatch",
    "The gateway's record of this transaction code has a different amount or currency.",
  ],
  [
    "manual_process",
    "The gateway has asked you to contact it about this payout (status 4, manual process).",
  ],
  ["unknown text", "unknown text"],
])("shortens the reason %s for lists", (stored, shown) => {
  expect(causeText(stored)).toBe(shown);
});
