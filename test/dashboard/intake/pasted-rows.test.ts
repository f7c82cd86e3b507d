import { describe, expect, test } from "vitest";
import { readPastedRows } from "../../../dashboard/src/pages/intake/upload/pasted-rows.ts";

const COLUMNS = ["user_id", "account_name", "transaction_amount"];
const read = (text: string) => readPastedRows(text, COLUMNS);
const HEAD = "User ID\tAccount Name\tNote";

describe("pasted rows", () => {
  test("become a CSV file that keeps every zero in place", () => {
    expect(read(`${HEAD}\r\n007\tDoe, John\t00501000001234\r\n8\tA. Rao\t1,250.00\r\n`)).toEqual({
      names: ["User ID", "Account Name", "Note"],
      rowCount: 2,
      columnCount: 3,
      firstRows: [
        ["007", "Doe, John", "00501000001234"],
        ["8", "A. Rao", "1,250.00"],
      ],
      hasNoHeader: false,
      csv: 'User ID,Account Name,Note\n007,"Doe, John",00501000001234\n8,A. Rao,"1,250.00"\n',
    });
  });

  test.each([
    ['a cell of two lines, with a "quote"', '"a\nb ""c"""', 'a\nb "c"'],
    ["a quote in the middle", '5" pipe', '5" pipe'],
    ["quotes that belong to the cell", '"so"', '"so"'],
    ["the same, copied from another spreadsheet", '"""so"""', '"so"'],
    ["an unclosed quote", '"so', '"so'],
    ["a tab", '"a\tb"', "a\tb"],
    ["nothing", "", ""],
    ["blanks", "  x ", "  x "],
  ])("keep %s", (_, copied, cell) => {
    const pasted = read(`${HEAD}\n1\t${copied}\tend\n2\tb\t${copied}`);
    expect(pasted?.firstRows).toEqual([
      ["1", cell, "end"],
      ["2", "b", cell],
    ]);
    expect(pasted?.rowCount).toBe(2);
  });

  test("without their header are reported as having none", () => {
    expect(read("007\tA. Rao\t10\n008\tB. Rao\t20\n")).toMatchObject({
      hasNoHeader: true,
      rowCount: 2,
      columnCount: 3,
    });
  });

  test("from a CSV file keep that file's cells", () => {
    expect(read('user_id;account_name\n1;"a;b"\n')?.firstRows).toEqual([["1", "a;b"]]);
    expect(read('user_id,account_name\n1,"so"\n')?.firstRows).toEqual([["1", "so"]]);
  });

  test("skip empty lines, and are empty when no line remains", () => {
    expect(read(`\n${HEAD}\n\n1\t2\t3\n\t\t\n`)?.rowCount).toBe(1);
    expect(read(" ")?.hasNoHeader).toBe(true);
    expect(read("\r\n\r\n")).toBeNull();
  });

  test("are read at once, up to a hundred thousand lines", () => {
    const lines = Array.from({ length: 100_000 }, (_, at) => `${at}\t"${at}\t00${at}`);
    expect(read(`${HEAD}\n${lines.join("\n")}`)?.rowCount).toBe(100_000);
  });
});
