import { describe, expect, test } from "vitest";
import { openFile, type ReadingOptions } from "#intake/file-reader.ts";
import { parseMapping } from "#intake/header/column-mapping.ts";
import { COLUMN_SYNONYMS, synonymOf } from "#intake/header/column-synonyms.ts";
import { knownColumn } from "#intake/header/column-names.ts";
import { COLUMNS } from "#intake/header/columns.ts";
import { DEFAULT_ROW_SETTINGS } from "#intake/row-settings.ts";
import { inChunks } from "../../support/samples.ts";

const ROW = "U-1,INR,100.00,Asha Rao,50100012345678,HDFC0000001,HDFC,HDFC Bank";
const OTHER_NAMES = "user_id,Currency,Amount,Beneficiary Name,A/c No.,IFSC,bank_code,bank_name";

async function open(header: string, columns: ReadingOptions["columns"] = {}, row = ROW) {
  const bytes = Buffer.from(`${header}\n${row}\n`);
  const opened = await openFile(inChunks(bytes), DEFAULT_ROW_SETTINGS, { columns });
  if (!opened.ok) return { problems: opened.error, facts: null, rows: [] };
  const rows = (await Array.fromAsync(opened.value.rows)).flat();
  return { problems: [], facts: opened.value.facts, rows };
}

const mappingOf = (texts: readonly string[]) => {
  const mapping = parseMapping(texts);
  if (!mapping.ok) throw new Error(mapping.error);
  return mapping.value;
};

describe("the synonyms of a column", () => {
  test("never contradict payrun's own names, and each belong to one column", () => {
    for (const column of COLUMNS) {
      for (const name of COLUMN_SYNONYMS[column]) {
        expect([name, synonymOf(name)]).toEqual([name, column]);
        expect([name, knownColumn(name) ?? column]).toEqual([name, column]);
      }
    }
  });

  test.each([
    ["A/C NO", "bank_account_number"],
    ["beneficiary_name", "account_name"],
    ["  Net   Pay ", "transaction_amount"],
    ["Payee", "account_name"],
    ["Amount (INR)", "transaction_amount"],
    ["AMOUNT IN THB", "transaction_amount"],
    ["inr net pay", "transaction_amount"],
    ["transaction_amount_INR", "transaction_amount"],
    ["Amount (due)", undefined],
    ["INR", undefined],
    ["Account INR", undefined],
    ["Gross", undefined],
  ])("reads %j as %s, whatever its case, blanks and signs", (name, column) => {
    expect(synonymOf(name)).toBe(column);
  });
});

describe("a column of person IDs", () => {
  const proposed = async (name: string, other: string) => {
    const header = `${name},currency_code,Amount,${other},bank_account_number,IFSC,bank_code,bank_name`;
    const { problems } = await open(header);
    const columns = problems[0]?.proposal?.columns ?? [];
    return columns.find((column) => column.name === name);
  };

  test.each([
    "Employee",
    "Employee ID",
    "Staff no",
    "Beneficiary ID",
    "Customer ID",
    "EMPLOYEE_NO",
  ])("is suggested for %s", async (name) => {
    const found = await proposed(name, "Name");
    expect(found).toMatchObject({ column: "user_id", basis: "synonym", first: "U-1" });
  });

  test("is not suggested for a noun next to an exact name", async () => {
    expect(await proposed("Employee ID", "Employee")).toMatchObject({ column: "user_id" });
    expect(await proposed("Employee", "Employee ID")).toMatchObject({ column: null });
    expect(await proposed("Employee", "Staff")).toMatchObject({ column: null, basis: "several" });
  });
});

describe("a header with other names", () => {
  test("is refused with a suggestion for every column and its first value", async () => {
    const { problems } = await open(OTHER_NAMES);
    expect(problems).toMatchObject([{ code: "columns_unconfirmed" }]);
    expect(problems[0]?.message).toContain('"Amount" as transaction_amount');
    expect(problems[0]?.proposal?.columns).toMatchObject([
      { name: "user_id", column: "user_id", basis: "own_name", first: "U-1" },
      { name: "Currency", column: "currency_code", basis: "synonym" },
      { name: "Amount", column: "transaction_amount", basis: "synonym", first: "100.00" },
      { name: "Beneficiary Name", column: "account_name", basis: "synonym", first: "Asha Rao" },
      { name: "A/c No.", column: "bank_account_number", first: "••••••••••5678" },
      { name: "IFSC", column: "ifsc_code", basis: "synonym" },
      { name: "bank_code", basis: "own_name" },
      { name: "bank_name", basis: "own_name" },
    ]);
  });

  test("is read by a confirmed mapping, under payrun's names", async () => {
    const confirmed = mappingOf([
      "Currency=currency_code",
      "Amount=transaction_amount",
      "Beneficiary Name=account_name",
      "A/c No.=bank_account_number",
      "IFSC=ifsc_code",
    ]);
    const { facts, rows } = await open(OTHER_NAMES, { confirmed });
    expect(facts?.header).toContain("bank_account_number");
    expect(facts?.ownHeader).toContain("A/c No.");
    expect(facts?.reading.columns).toContainEqual({ name: "IFSC", column: "ifsc_code" });
    expect(rows).toMatchObject([
      { kind: "draft", draft: { details: { bank_account_number: "50100012345678" } } },
    ]);
  });

  test("asks which of two columns has a meaning, and names required columns that are missing", async () => {
    const { problems } = await open(
      "user_id,Amount,Net pay,Beneficiary",
      {},
      "U-1,100.00,90.00,Asha",
    );
    expect(problems[0]?.message).toContain("Still missing: currency_code, transaction_amount.");
    expect(problems[0]?.proposal?.columns).toMatchObject([
      { name: "user_id" },
      { name: "Amount", column: null, basis: "several" },
      { name: "Net pay", column: null, basis: "several" },
      { name: "Beneficiary", column: "account_name", basis: "synonym" },
    ]);
  });

  test("suggests the mapping that the uploader confirmed before, and still asks", async () => {
    const header = "user_id,Amount,Net pay,currency_code,account_name";
    const mapping = mappingOf(["Amount=", "Net pay=transaction_amount"]);
    const recall = () => ({ mapping, currency: null });
    const { problems } = await open(header, { recall }, "U-1,100.00,90.00,INR,Asha");
    expect(problems[0]?.proposal?.columns?.slice(1, 3)).toMatchObject([
      { name: "Amount", column: null, basis: "remembered" },
      { name: "Net pay", column: "transaction_amount", basis: "remembered" },
    ]);
  });

  test("is read without a question if no other name decides who is paid", async () => {
    const header = `${COLUMNS.slice(0, 9).join(",")},currency_code,transaction_amount,Notes`;
    const { problems, facts } = await open(header, {}, "U-1,Asha,1,,,,,,,INR,5,x");
    expect(problems).toEqual([]);
    expect(facts?.notes).toMatchObject([{ code: "column_ignored", column: "Notes" }]);
  });

  test.each([
    [["Gross=transaction_amount"], "mapped_column_missing"],
    [["bank_name=bank_code"], "own_column_mapped"],
    [["Amount=currency_code", "Currency=currency_code"], "column_mapped_twice"],
    [["IFSC=user_id"], "column_mapped_twice"],
    [["IFSC=ifsc_code"], "columns_missing"],
  ])("is refused with the mapping %j: %s", async (texts, code) => {
    const { problems } = await open(OTHER_NAMES, { confirmed: mappingOf(texts) });
    expect(problems.map((each) => each.code)).toContain(code);
  });
});

test.each(["Amount", "=user_id", "Amount=money", "Amount=user_id=x"])(
  "refuses the text %j as a mapping",
  (text) => {
    expect(parseMapping([text])).toEqual({ ok: false, error: text });
  },
);
