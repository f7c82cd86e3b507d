import { describe, expect, test } from "vitest";
import {
  DEPOSIT_REQUIREMENTS,
  findDetailFaults,
  isDepositCurrency,
  referenceName,
  stepsOf,
} from "#deposit/requirements.ts";

/** Written by hand, so that an edit of the table alone does not pass (specification, Limits). */
const CURRENCIES = ["BDT", "BRL", "INR", "JPY", "KRW", "MMK", "TRY", "VND"] as const;
const COMPLETE = { user_id: "U", deposit_name: "A", identity_id: "1", phone: "01812345678" };

test("accepts deposits in eight currencies, in two steps only for KRW", () => {
  expect(Object.keys(DEPOSIT_REQUIREMENTS)).toEqual(CURRENCIES);
  expect(CURRENCIES.filter((currency) => DEPOSIT_REQUIREMENTS[currency].steps === 2)).toEqual([
    "KRW",
  ]);
  for (const code of ["THB", "USD", "inr", "constructor"])
    expect(isDepositCurrency(code)).toBe(false);
  for (const code of CURRENCIES) expect(isDepositCurrency(code)).toBe(true);
  expect(["KRW", "INR", "THB"].map(stepsOf)).toEqual([2, 1, 1]);
});

test.each([
  ["INR", "123456789012", { ok: true, value: "utr" }],
  ["BDT", "8N7A6D5C4B", { ok: true, value: "ref_no" }],
  ["INR", "12345678901", { ok: false, error: "does not have the form of INR references" }],
  ["INR", "1234567890123", { ok: false, error: "does not have the form of INR references" }],
  ["BDT", "8N7A6", { ok: false, error: "does not have the form of BDT references" }],
  ["BDT", "8N7A6D-5C4B", { ok: false, error: "does not have the form of BDT references" }],
  ["JPY", "123456789012", { ok: false, error: "is not accepted for JPY" }],
  ["USD", "123456789012", { ok: false, error: "is not accepted for USD" }],
])("requires a payer's reference in %s as %s", (currency, reference, named) => {
  expect(referenceName(currency, reference)).toEqual(named);
});

describe("required fields of a deposit", () => {
  test.each(CURRENCIES)(
    "%s: accepts a complete request and requires a user and a name",
    (currency) => {
      expect(findDetailFaults(currency, COMPLETE)).toEqual([]);
      for (const field of ["user_id", "deposit_name"]) {
        expect(findDetailFaults(currency, { ...COMPLETE, [field]: "" })).toEqual([
          { field, problem: `is missing; ${currency} deposits require it` },
        ]);
      }
    },
  );

  test.each([
    ["BDT", "phone"],
    ["TRY", "identity_id"],
  ] as const)("requires, only for %s, %s", (needing, field) => {
    for (const currency of CURRENCIES) {
      const { [field]: _absent, ...rest } = COMPLETE;
      const expected =
        currency === needing
          ? [{ field, problem: `is missing; ${needing} deposits require it` }]
          : [];
      expect(findDetailFaults(currency, rest)).toEqual(expected);
    }
  });

  test.each(["8801812345678", "0181234567", "0181234567a", "+8801812345"])(
    "refuses the phone %s, which is not 11 digits, wherever one is given",
    (phone) => {
      for (const currency of ["BDT", "INR"] as const) {
        expect(findDetailFaults(currency, { ...COMPLETE, phone })).toEqual([
          { field: "phone", problem: "must have 11 digits without the country code" },
        ]);
      }
    },
  );
});

test.each<[keyof typeof DEPOSIT_REQUIREMENTS, string, boolean]>([
  ["INR", "123456789012", true],
  ["INR", "12345678901", false],
  ["INR", "1234567890123", false],
  ["INR", "12345678901a", false],
  ["BDT", "9AB12CD", true],
  ["BDT", "12345", false],
  ["BDT", "a".repeat(33), false],
  ["BDT", "9AB 12CD", false],
])("checks a reference of %s: %s is accepted: %s", (currency, reference, isTaken) => {
  expect(DEPOSIT_REQUIREMENTS[currency].reference?.form.test(reference)).toBe(isTaken);
});

test("accepts no reference in other currencies", () => {
  const taking = CURRENCIES.filter((currency) => DEPOSIT_REQUIREMENTS[currency].reference);
  expect(taking).toEqual(["BDT", "INR"]);
});
