import fc from "fast-check";
import { expect, test } from "vitest";
import {
  decodePayout,
  encodePayout,
  type SealedPayout,
} from "#ledger/store/keys/compact-payout.ts";
import { DETAIL_FIELDS } from "#payout/payout.ts";

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.constantFrom("", "PR1", "\ud800", "\u0001", "x".repeat(200), "名前 नाम"),
);
const orNull = fc.option(text);

const payouts: fc.Arbitrary<SealedPayout> = fc.record({
  details: fc.record(Object.fromEntries(DETAIL_FIELDS.map((field) => [field, text])), {
    requiredKeys: [],
  }),
  payoutCode: orNull,
  callbackUrl: orNull,
  reference: orNull,
  cells: fc.array(text),
});

test("reads every payout that it writes", () => {
  fc.assert(
    fc.property(payouts, (payout) => {
      expect(decodePayout(encodePayout(payout, "PR1"), "PR1")).toEqual(payout);
    }),
    { numRuns: 2_000 },
  );
});

test("reads payouts with very long cells and very many cells", () => {
  for (const cells of [["x".repeat(60_000)], Array.from({ length: 60_000 }, () => "a")]) {
    const payout = {
      details: { account_name: "y".repeat(60_000) },
      payoutCode: null,
      callbackUrl: null,
      reference: null,
      cells,
    };
    expect(decodePayout(encodePayout(payout, "PR1"), "PR1")).toEqual(payout);
  }
});

test("reads payouts that were written as JSON", () => {
  const payout = {
    details: { account_name: "Asha Rao" },
    payoutCode: null,
    callbackUrl: null,
    reference: "R-1",
    cells: ["Asha Rao", "R-1"],
  };
  expect(decodePayout(JSON.stringify(payout), "PR1")).toEqual(payout);
});

test("writes a value and a code once", () => {
  const cells = ["PR1", "U-1", "INR", "100.00", "Asha Rao", "50100012345678", "HDFC0000001", "R-1"];
  const [, userId, , , name, account, ifsc, reference] = cells;
  const payout: SealedPayout = {
    details: {
      user_id: userId as string,
      account_name: name as string,
      bank_account_number: account as string,
      ifsc_code: ifsc as string,
    },
    payoutCode: null,
    callbackUrl: null,
    reference: reference as string,
    cells,
  };
  const stored = encodePayout(payout, "PR1");
  expect(stored).not.toContain("PR1");
  // Two numbers before the cells, one for each cell, two for the fields, one for each value.
  expect(stored.length).toBe(cells.slice(1).join("").length + 2 + 8 + 2 + 5);
});
