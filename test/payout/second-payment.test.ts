import { describe, expect, test } from "vitest";
import { readStatusAnswer } from "#gateway/status-answer.ts";
import { decideStatus } from "#payout/decide.ts";
import { found, KNOWN, PACE, short } from "./known.ts";
import { type KnownPayout } from "#payout/decision.ts";

const CODE = "PR1";
const entry = (transaction_no: string | null, more = {}) => ({
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

describe("F55 records of one code", () => {
  test("are found anywhere in the answer", () => {
    const two = [entry("WD1"), entry("WD2")];
    expect(numbers({ success: true, data: two })).toEqual(["WD1", "WD2"]);
    expect(numbers({ success: true, data: entry("WD1"), more: { list: [entry("WD2")] } })).toEqual([
      "WD1",
      "WD2",
    ]);
    const unreadable = { transaction_code: CODE, transaction_no: "WD2", amount: {} };
    expect(numbers({ success: true, data: [entry("WD1"), unreadable] })).toEqual(["WD1", "WD2"]);
  });

  test("count as one record when shown twice, and exclude other codes", () => {
    expect(numbers({ success: true, data: [entry("WD1"), entry("WD1")] })).toEqual([]);
    const other = entry("WD2", { transaction_code: "PR2" });
    expect(numbers({ success: true, data: [entry("WD1"), other] })).toEqual([]);
  });
});

const unnumbered = (data: unknown, more = {}) => {
  const said = read({ success: true, data, ...more });
  return said.kind === "found" ? said.record.unnumbered : said.kind;
};

describe("F55 records of one code without a number", () => {
  test("are counted where several are listed", () => {
    expect(unnumbered([entry(null), entry(null)])).toBe(2);
    expect(unnumbered([entry("null"), entry("WD1")])).toBe(1);
    expect(unnumbered([entry(null), { transaction_code: CODE, amount: {} }])).toBe(2);
  });

  test("are not counted for a single record, records with numbers, other codes, or text around the list", () => {
    expect(unnumbered([entry(null)])).toBe(undefined);
    expect(unnumbered([entry("WD1"), entry("WD1")])).toBe(undefined);
    expect(unnumbered([entry(null), entry(null, { transaction_code: "PR2" })])).toBe(undefined);
    expect(unnumbered([entry(null)], { query: { transaction_code: CODE } })).toBe(undefined);
  });
});

describe("F55 a payout that the gateway may have accepted twice is put on hold", () => {
  const decide = (change: Partial<KnownPayout>, record = {}) =>
    short(decideStatus({ ...KNOWN, ...change }, found({ state: "completed", ...record }), PACE));

  test.each(["in_doubt", "accepted", "settled", "declined"] as const)(
    "when it has two records, even when it is %s",
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

  test("when its code was sent again and several records without a number are listed", () => {
    const two = { gatewayNumber: null, unnumbered: 2 };
    expect(decide({ state: "accepted", isRepeated: true }, two)).toBe("hold two_records");
    expect(decide({ state: "settled", isRepeated: true }, { unnumbered: 1 })).toBe(
      "hold two_records",
    );
    // One request is one payment, however often it is listed.
    expect(decide({ state: "accepted" }, two)).toBe("settle");
  });

  test("after people have resolved it, unless they knew of these records", () => {
    const closed = { state: "resolved", reason: "resolved_arrived" } as const;
    const two = { numbers: ["WD8", "WD7"] };
    expect(decide(closed, two)).toBe("hold two_records");
    const knew = { ...closed, paidTwiceBefore: ["accepted_twice", "two_records: WD7 and WD8"] };
    expect(decide(knew, two)).toBe("wait");
    expect(decide({ ...knew, gatewayNumber: "WD8" })).toBe("wait");
    expect(decide({ ...knew, acceptedTimes: 2 }, {})).toBe("wait");
    expect(decide(knew, { numbers: ["WD7", "WD9"] })).toBe("hold two_records");
  });
});
