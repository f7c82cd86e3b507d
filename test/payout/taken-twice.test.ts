import { describe, expect, test } from "vitest";
import { readStatusAnswer } from "#gateway/status-answer.ts";
import { decideStatus, type Known } from "#payout/decide.ts";
import { found, KNOWN, PACE, short } from "./known.ts";

const CODE = "PR1";
const entry = (transaction_no: string, more = {}) => ({
  transaction_code: CODE,
  transaction_no,
  amount: 150.5,
  currency_code: "INR",
  status: "completed",
  transaction_status: 2,
  ...more,
});
const read = (answer: unknown) =>
  readStatusAnswer({ status: 200, body: JSON.stringify(answer) }, CODE);
const numbers = (answer: unknown) => {
  const said = read(answer);
  return said.kind === "found" ? (said.record.numbers ?? []) : said.kind;
};

describe("F55 the records of one code", () => {
  test("are found wherever they are in the answer", () => {
    const two = [entry("WD1"), entry("WD2")];
    expect(numbers({ success: true, data: two })).toEqual(["WD1", "WD2"]);
    expect(numbers({ success: true, data: entry("WD1"), more: { list: [entry("WD2")] } })).toEqual([
      "WD1",
      "WD2",
    ]);
    const unreadable = { transaction_code: CODE, transaction_no: "WD2", amount: {} };
    expect(numbers({ success: true, data: [entry("WD1"), unreadable] })).toEqual(["WD1", "WD2"]);
  });

  test("are one record when they are shown twice, and none of another code counts", () => {
    expect(numbers({ success: true, data: [entry("WD1"), entry("WD1")] })).toEqual([]);
    const other = entry("WD2", { transaction_code: "PR2" });
    expect(numbers({ success: true, data: [entry("WD1"), other] })).toEqual([]);
  });
});

describe("F55 a payout that the gateway may have taken twice is held", () => {
  const decide = (change: Partial<Known>, record = {}) =>
    short(decideStatus({ ...KNOWN, ...change }, found({ state: "completed", ...record }), PACE));

  test.each(["in_doubt", "accepted", "settled", "declined"] as const)(
    "with two records, also when it is %s",
    (state) => {
      expect(decide({ state }, { numbers: ["WD7", "WD8"] })).toBe("hold two_records");
    },
  );

  test("when its number changes, or two attempts were accepted", () => {
    expect(decide({ state: "settled", gatewayNumber: "WD7" })).toBe("wait");
    expect(decide({ state: "settled", gatewayNumber: "WD6" })).toBe("hold two_records");
    expect(decide({ state: "accepted", acceptedTimes: 1 })).toBe("settle");
    expect(decide({ state: "accepted", acceptedTimes: 2 })).toBe("hold accepted_twice");
  });

  test("but not again once people have closed it", () => {
    const closed = { state: "closed", reason: "closed_arrived" } as const;
    expect(decide(closed, { numbers: ["WD7", "WD8"] })).toBe("wait");
  });
});
