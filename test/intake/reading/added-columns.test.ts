import writeWorkbook from "write-excel-file/node";
import { expect, test } from "vitest";
import { openFile, type ReadingOptions } from "#intake/file-reader.ts";
import { provenCurrency } from "#intake/header/added-columns.ts";
import { availableCurrencies } from "#intake/row-plan.ts";
import { DEFAULT_ROW_SETTINGS } from "#intake/row-settings.ts";
import { inChunks } from "../../support/samples.ts";

async function open(lines: readonly string[], options: ReadingOptions, currencies?: string[]) {
  const settings = {
    ...DEFAULT_ROW_SETTINGS,
    ...(currencies && { currencies: new Set(currencies) }),
  };
  const opened = await openFile(inChunks(Buffer.from(`${lines.join("\n")}\n`)), settings, options);
  if (!opened.ok) return { problems: opened.error, facts: null, rows: [] };
  const rows = (await Array.fromAsync(opened.value.rows)).flat();
  return { problems: [], facts: opened.value.facts, rows };
}

const HEADER =
  "user_id,transaction_amount,account_name,bank_account_number,ifsc_code,bank_code,bank_name";
const ROW = "U-1,100.00,Asha Rao,50100012345678,HDFC0000001,HDFC,HDFC Bank";

test("asks for the currency of a file that lacks only this column, and suggests a proven one", async () => {
  const { problems } = await open([HEADER, ROW], { columns: {} });
  expect(problems).toMatchObject([
    { code: "columns_unconfirmed", proposal: { currency: { proposed: "INR", found: [] } } },
  ]);
  expect(problems[0]?.message).toContain("INR as the currency of all rows");
  const header = "user_id,transaction_amount,account_name,bank_code";
  const several = await open([header, "U-1,1,Asha,X"], { columns: {} }, ["BDT", "KRW"]);
  expect(several.problems).toMatchObject([
    {
      code: "currency_unconfirmed",
      proposal: { currency: { proposed: null, choices: ["BDT", "KRW"] } },
    },
  ]);
});

test.each([
  ["Amount (KRW)", "bank_code", "KRW"],
  ["Amount (THB)", "bank_code", null],
  ["Amount (KRW)", "ifsc_code", null],
])(
  "suggests the currency in the name %s if nothing contradicts it",
  async (name, other, proposed) => {
    const lines = [`user_id,${name},account_name,${other}`, "U-1,1,Asha,X"];
    const { problems } = await open(lines, { columns: {} }, ["BDT", "INR", "KRW"]);
    expect(problems).toMatchObject([{ proposal: { currency: { proposed } } }]);
  },
);

test("reads all rows in the confirmed currency, whose column comes first", async () => {
  const { facts, rows } = await open([HEADER, ROW, `${ROW},x`, "U-1"], {
    columns: { currency: "INR" },
  });
  expect(facts?.header).toEqual(["currency_code", ...HEADER.split(",")]);
  expect(facts?.reading).toMatchObject({ currency: "INR", added: 1 });
  expect(rows[0]).toMatchObject({
    kind: "draft",
    cells: ["INR", ...ROW.split(",")],
    codedCells: ROW.split(","),
    draft: { money: { currency: "INR" } },
  });
  expect(rows.slice(1)).toMatchObject([
    { kind: "rejected", problems: [{ code: "row_too_long" }] },
    { kind: "rejected", problems: [{ code: "row_too_short" }] },
  ]);
});

test("adds the columns that the currencies of the rows require and the file lacks", async () => {
  const header =
    "user_id,currency_code,transaction_amount,account_name,bank_account_number,ifsc_code";
  const lines = [header, "U-1,INR,100.00,Asha Rao,50100012345678,HDFC0000001"];
  const { facts, rows } = await open(lines, {});
  expect(facts?.header).toEqual(["bank_code", "bank_name", ...header.split(",")]);
  expect(rows).toMatchObject([
    {
      kind: "rejected",
      cells: ["", "", "U-1", "INR", "100.00", "Asha Rao", "50100012345678", "HDFC0000001"],
      problems: [{ column: "bank_code" }, { column: "bank_name" }],
    },
  ]);
});

test("refuses a currency next to a currency column, and one in which the account cannot pay", async () => {
  const header = HEADER.replace("user_id", "user_id,currency_code");
  const twice = await open([header, ROW.replace("U-1", "U-1,INR")], {
    columns: { currency: "INR" },
  });
  expect(twice.problems).toMatchObject([{ code: "currency_given_twice" }]);
  const other = await open([HEADER, ROW], { columns: { currency: "INR" } }, ["BDT"]);
  expect(other.problems).toMatchObject([{ code: "currency_not_available" }]);
});

test("an IFSC column proves INR, and a single currency proves itself", () => {
  const columns = new Set(["ifsc_code"]);
  expect(provenCurrency(columns, ["BDT", "INR"])).toBe("INR");
  expect(provenCurrency(columns, ["BDT", "KRW"])).toBeNull();
  expect(provenCurrency(new Set(), ["BDT", "INR"])).toBeNull();
  expect(provenCurrency(new Set(), ["BDT"])).toBe("BDT");
  const some = { ...DEFAULT_ROW_SETTINGS, currencies: new Set(["KRW"]) };
  expect(availableCurrencies(some)).toEqual(["KRW"]);
});

test("reads a workbook in the confirmed currency, with the empty columns that it requires", async () => {
  const header = ["user_id", "transaction_amount", "account_name", "bank_code"];
  const rows = [header, ["U-1", 100.5, "Asha Rao", "HDFC"]];
  const bytes = await writeWorkbook(rows).toBuffer();
  const opened = await openFile(inChunks(bytes), DEFAULT_ROW_SETTINGS, {
    columns: { currency: "INR" },
  });
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  const added = ["currency_code", "bank_account_number", "ifsc_code", "bank_name"];
  expect(opened.value.facts.header).toEqual([...added, ...header]);
  expect(opened.value.facts.reading).toMatchObject({ currency: "INR", added: 4 });
  const [chunk] = await Array.fromAsync(opened.value.rows);
  expect(chunk).toMatchObject([
    { kind: "rejected", cells: ["INR", "", "", "", "U-1", "100.5", "Asha Rao", "HDFC"] },
  ]);
  expect(chunk?.[0]).toHaveProperty("problems.length", 3);
});

test("adds the columns of a currency that first appears in the last row", async () => {
  const header =
    "user_id,currency_code,transaction_amount,account_name,bank_account_number,bank_code,bank_name";
  const row = "U-1,THB,1.00,Somchai THB Co,1234567890,014,SCB";
  const many = Array.from({ length: 5_000 }, (_, at) => row.replace("U-1", `U-${at}`));
  const names = header.split(",");
  const opened = (lines: readonly string[]) =>
    open(lines, { reopen: () => inChunks(Buffer.from(`${lines.join("\n")}\n`)) }, ["THB", "INR"]);
  const last = "U-9,INR,100.00,Asha Rao,50100012345678,HDFC,HDFC Bank";
  const whole = await opened([header, ...many, last]);
  expect(whole.facts?.header).toEqual(["ifsc_code", ...names]);
  expect(whole.facts?.reading).toMatchObject({ added: 1 });
  expect(whole.rows.at(-1)).toMatchObject({
    kind: "rejected",
    cells: ["", ...last.split(",")],
    problems: [{ column: "ifsc_code" }],
  });
  // A currency that occurs only in a name adds nothing.
  const named = await opened([header, ...many.map((each) => each.replace("THB Co", "INR Co"))]);
  expect(named.facts?.header).toEqual(names);
});

test("adds such columns to a workbook", async () => {
  const header = ["user_id", "currency_code", "transaction_amount", "account_name", "bank_code"];
  const rows = Array.from({ length: 3_000 }, (_, at) => [`U-${at}`, "BDT", 1, "Karim", "X"]);
  const last = ["U-9", "INR", 100, "Asha Rao", "HDFC"];
  const read = async (content: (string | number)[][]) => {
    const bytes = await writeWorkbook(content).toBuffer();
    const settings = { ...DEFAULT_ROW_SETTINGS, currencies: new Set(["BDT", "INR"]) };
    const opened = await openFile(inChunks(bytes), settings, {});
    if (!opened.ok) throw new Error(JSON.stringify(opened.error));
    return opened.value.facts.header;
  };
  expect(await read([header, ...rows])).not.toContain("ifsc_code");
  expect(await read([header, ...rows, last])).toContain("ifsc_code");
});
