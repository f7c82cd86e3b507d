import { describe, expect, test } from "vitest";
import writeWorkbook from "write-excel-file/node";
import type { StatementLine } from "#reconciliation/records.ts";
import { openStatement } from "#reconciliation/statement-reader.ts";
import { parseChoices } from "#reconciliation/mapping-choices.ts";
import {
  missingFields,
  placesIn,
  type StatementMapping,
  suggestColumns,
} from "#reconciliation/statement-mapping.ts";

const HEADER = [
  "Transaction No",
  "Transaction Code",
  "Currency",
  "Amount",
  "Fee",
  "Status",
  "Completed At",
];
const MAPPING: StatementMapping = {
  columns: suggestColumns(HEADER),
  amountStyle: "plain",
  payoutSign: "none",
  words: {},
  zone: "Asia/Kolkata",
};
const INR = { currency: "INR", minorDigits: 2 };

async function* bytesOf(content: string | Uint8Array) {
  yield typeof content === "string" ? Buffer.from(content) : content;
}

async function read(content: string | Uint8Array, changes: Partial<StatementMapping> = {}) {
  const opened = await openStatement(bytesOf(content), { ...MAPPING, ...changes }, INR);
  if (!opened.ok) return { lines: [], problems: opened.error.problems };
  const lines: StatementLine[] = [];
  for await (const chunk of opened.value.lines) lines.push(...chunk);
  const end = opened.value.end();
  return { lines, problems: end.ok ? [] : end.error };
}

const csv = (...rows: readonly string[]) => [HEADER.join(","), ...rows, ""].join("\n");

describe("a mapping", () => {
  test("is suggested from the names of the columns", () => {
    expect(MAPPING.columns).toEqual({
      code: "Transaction Code",
      gateway_number: "Transaction No",
      amount: "Amount",
      currency: "Currency",
      fee: "Fee",
      status: "Status",
      time: "Completed At",
    });
  });

  test("has no suggestion for a field that two columns could be", () => {
    expect(suggestColumns(["Amount", "Payout Amount", "Status", "Order ID"])).toEqual({
      code: "Order ID",
      status: "Status",
    });
  });

  test("knows the names of back offices that speak of orders", () => {
    const names = ["Order Status", "Order Amount", "Merchant Order No", "System Order No", "Note"];
    expect(suggestColumns(names)).toEqual({
      code: "Merchant Order No",
      gateway_number: "System Order No",
      amount: "Order Amount",
      status: "Order Status",
    });
  });

  test("is read from the command line", () => {
    expect(parseChoices(["Ref=code"], ["Erledigt=completed"])).toEqual({
      ok: true,
      value: { columns: { code: "Ref" }, words: { erledigt: "completed" } },
    });
    expect(parseChoices(["Ref=nothing"], [])).toEqual({ ok: false, error: "Ref=nothing" });
    expect(parseChoices([], ["x=maybe"])).toEqual({ ok: false, error: "x=maybe" });
  });

  test("cannot give a known word another result", () => {
    expect(parseChoices([], ["Failed=completed"])).toEqual({
      ok: false,
      error: "Failed=completed",
    });
    expect(parseChoices([], ["Failed=failed", ""])).toMatchObject({ ok: true });
  });
});

describe("a CSV statement", () => {
  test("gives exact values, and times in the zone of the mapping", async () => {
    const { lines, problems } = await read(
      csv("WD1,PR1,INR,90071992547409.93,1.5,Completed,2026-11-26 09:30:15"),
    );
    expect(problems).toEqual([]);
    expect(lines).toEqual([
      {
        code: "PR1",
        line: 2,
        gatewayNumber: "WD1",
        currency: "INR",
        amount: { minor: 9_007_199_254_740_993n, minorDigits: 2 },
        fee: { minor: 150n, minorDigits: 2 },
        status: "completed",
        at: new Date("2026-11-26T04:00:15Z"),
      },
    ]);
  });

  test("is read with its columns in any order", async () => {
    const content =
      "Status,Amount,Transaction Code,Transaction No,Currency,Fee,Completed At\nfailed,1,PR1,,inr,,\n";
    const { lines, problems } = await read(content);
    expect(problems).toEqual([]);
    expect(lines).toMatchObject([
      {
        code: "PR1",
        amount: { minor: 100n },
        currency: "INR",
        status: "failed",
        fee: null,
        at: null,
      },
    ]);
  });

  test("keeps a line without a transaction code under its gateway number", async () => {
    expect((await read(csv("WD7,,INR,1.00,,paid,"))).lines).toMatchObject([{ code: "#WD7" }]);
  });

  test("reads a statement without a column of codes by its gateway numbers", async () => {
    const { code: _, ...columns } = MAPPING.columns;
    const header = "Transaction No,Currency,Amount,Fee,Status,Completed At\n";
    const found = await read(`${header}WD7,INR,1.00,,paid,\n`, { columns });
    expect(found.problems).toEqual([]);
    expect(found.lines).toMatchObject([{ code: "#WD7", gatewayNumber: "WD7" }]);
    const blank = await read(`${header},INR,1.00,,paid,\n`, { columns });
    expect(blank.problems).toMatchObject([
      { line: 2, column: "Transaction No", message: "The gateway number cannot be read." },
    ]);
  });

  test("needs a column of codes or gateway numbers", () => {
    expect(missingFields({ amount: "A", status: "S" })).toEqual(["code"]);
    expect(missingFields({ amount: "A", status: "S", code: "C" })).toEqual([]);
    expect(missingFields({ amount: "A", gateway_number: "N" })).toEqual(["status"]);
    const placed = placesIn(["A", "S"], { amount: "A", status: "S" });
    expect(!placed.ok && placed.error).toMatchObject([
      {
        expected:
          "a column with the transaction code of payrun, or the transaction number of the gateway",
      },
    ]);
  });

  test("reads debits, other amount styles and words of the mapping", async () => {
    const { lines, problems } = await read(csv('WD1,PR1,INR,"-1.234,50",,erledigt,'), {
      amountStyle: "1.234,56",
      payoutSign: "negative",
      words: { erledigt: "completed" },
    });
    expect(problems).toEqual([]);
    expect(lines).toMatchObject([{ amount: { minor: 123_450n }, status: "completed" }]);
  });

  test("refuses a minus sign until the mapping has the sign of payouts", async () => {
    const { lines, problems } = await read(csv("WD1,PR1,INR,-1.00,,Completed,"));
    expect(lines).toEqual([]);
    expect(problems).toMatchObject([{ line: 2, column: "Amount", found: "-1.00" }]);
  });

  test("reads a completed line of the other sign as a return", async () => {
    const both = csv("WD1,PR1,INR,-1.00,,Completed,", "WD1,PR1,INR,1.00,,Completed,");
    const statuses = async (payoutSign: StatementMapping["payoutSign"]) =>
      (await read(both, { payoutSign })).lines.map(({ status }) => status);
    expect(await statuses("negative")).toEqual(["completed", "returned"]);
    expect(await statuses("positive")).toEqual(["returned", "completed"]);
    const pending = await read(csv("WD1,PR1,INR,1.00,,Pending,"), { payoutSign: "negative" });
    expect(pending.problems).toMatchObject([{ line: 2, column: "Amount" }]);
  });

  test("does not guess the currency of a blank cell", async () => {
    const blank = csv("WD1,PR1,,1.00,,Completed,");
    expect((await read(blank)).problems).toMatchObject([{ line: 2, column: "Currency" }]);
    const { currency: _, ...columns } = MAPPING.columns;
    expect((await read(blank, { columns })).lines).toMatchObject([{ currency: "INR" }]);
  });

  test("refuses amounts and times that the database cannot store", async () => {
    const long = `1${"0".repeat(33)}`;
    const { problems } = await read(
      csv(`WD1,PR1,INR,${long},,Completed,`, "WD2,PR2,INR,1.00,,Completed,0000-01-01"),
    );
    expect(problems.map(({ line, column }) => [line, column])).toEqual([
      [2, "Amount"],
      [3, "Completed At"],
    ]);
  });

  test("reports every problem with its line, column, expected and found value", async () => {
    const { problems } = await read(
      csv(
        "WD1,PR1,INR,1e3,,Completed,",
        "WD2,,inr,1.00,x,Done,tomorrow",
        ",,INR,1.00,,Completed,",
        "WD4,PR 4,INR,1.00,,Completed,",
        "WD5,PR5,INR",
      ),
    );
    expect(problems.map(({ line, column, found }) => [line, column, found])).toEqual([
      [2, "Amount", "1e3"],
      [3, "Fee", "x"],
      [3, "Status", "Done"],
      [3, "Completed At", "tomorrow"],
      [4, "Transaction Code", ""],
      [5, "Transaction Code", "PR 4"],
      [6, null, "3 cells"],
    ]);
    expect(problems.every(({ expected }) => expected !== "")).toBe(true);
  });

  test("reports a column of the mapping that the file does not have", async () => {
    const { problems } = await read("Amount,Status\n1,Completed\n");
    expect(problems.map(({ line, message }) => [line, message])).toContainEqual([
      1,
      'The file has no column "Transaction Code".',
    ]);
  });

  test("is refused if it is empty or broken", async () => {
    expect((await read("")).problems).toMatchObject([{ code: "file_empty" }]);
    expect((await read(csv('WD1,PR1,INR,1.00,,"Completed'))).problems).toMatchObject([
      { code: "quote_unbalanced" },
    ]);
  });
});

describe("an XLSX statement", () => {
  const book = (rows: readonly (readonly (string | number | null)[])[]) =>
    writeWorkbook(rows.map((row) => [...row])).toBuffer();

  test("is read like a CSV statement, with numbers in any amount style", async () => {
    const content = await book([HEADER, ["WD1", "PR1", "INR", 1234.5, 0, "Completed", null]]);
    const { lines, problems } = await read(content, { amountStyle: "1.234,56" });
    expect(problems).toEqual([]);
    expect(lines).toMatchObject([
      { code: "PR1", amount: { minor: 123_450n, minorDigits: 2 }, fee: { minor: 0n }, at: null },
    ]);
  });

  test("refuses a code whose digits a spreadsheet has dropped", async () => {
    const content = await book([
      HEADER,
      ["WD1", 12345678901234567000, "INR", 1, 0, "Completed", null],
    ]);
    expect((await read(content)).problems).toMatchObject([{ line: 2, column: "Transaction Code" }]);
  });
});
