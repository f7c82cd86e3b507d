import { crc32, deflateRawSync } from "node:zlib";
import writeWorkbook from "write-excel-file/node";
import { expect, test } from "vitest";
import { DEFAULT_ROW_SETTINGS } from "#batch/row.ts";
import { inChunks, readFile } from "../support/samples.ts";

const HEADER = [
  "user_id",
  "currency_code",
  "transaction_amount",
  "account_name",
  "bank_account_number",
  "ifsc_code",
  "bank_code",
  "bank_name",
];
type Value = string | number | Date | null;
const GOOD: readonly Value[] = [
  "U-1",
  "INR",
  "100.00",
  "Asha Rao",
  "00501000001234",
  "HDFC0000001",
  "HDFC",
  "HDFC Bank",
];

const bookOf = async (...rows: readonly (readonly Value[])[]): Promise<Buffer> =>
  writeWorkbook(
    [HEADER, ...rows].map((row) =>
      row.map((value) => (value instanceof Date ? { value, format: "yyyy-mm-dd" } : value)),
    ),
  ).toBuffer();
const read = (book: Buffer) => readFile(inChunks(book, 1_000), DEFAULT_ROW_SETTINGS);
const put = (place: number, value: Value): Value[] => GOOD.with(place, value) as Value[];
const problemsOf = async (row: readonly Value[]) => {
  const [verdict] = (await read(await bookOf(row))).verdicts;
  if (!verdict) throw new Error("no row");
  const problems = verdict.kind === "draft" ? verdict.warnings : verdict.problems;
  return [verdict.kind, ...problems.map(({ code, column }) => `${column} ${code}`)];
};

test("text cells stay what they are, zeros and all", async () => {
  const { verdicts, facts } = await read(await bookOf(GOOD));
  expect(facts).toMatchObject({ encoding: "XLSX", columns: HEADER });
  expect(verdicts).toMatchObject([
    {
      kind: "draft",
      line: 2,
      warnings: [],
      draft: { details: { bank_account_number: "00501000001234" } },
    },
  ]);
});

test.each([
  [100, 10_000n],
  [0.1, 10n],
  [1234.56, 123_456n],
  [19.99, 1_999n],
])("the number %d is an amount where it is exact", async (amount, minor) => {
  const { verdicts } = await read(await bookOf(put(2, amount)));
  expect(verdicts).toMatchObject([{ kind: "draft", warnings: [], draft: { money: { minor } } }]);
});

test("F88 a number in a column of text is odd, and one with too many digits is wrong", async () => {
  expect(await problemsOf(put(4, 501_000_001_234))).toEqual([
    "draft",
    "bank_account_number number_not_text",
  ]);
  expect(await problemsOf(put(4, 1234567890123456))).toContain(
    "bank_account_number number_not_exact",
  );
  expect(await problemsOf(put(2, 0.1 + 0.2))).toContain("transaction_amount number_not_exact");
});

test("a date is wrong in whatever column", async () => {
  const [kind, ...problems] = await problemsOf(put(3, new Date("2026-01-05")));
  expect(kind).toBe("rejected");
  expect(problems).toContain("account_name cell_is_a_date");
});

test("empty rows are passed over, and lines are those of the sheet", async () => {
  const { verdicts } = await read(await bookOf(GOOD, [null], put(4, "00501000001235")));
  expect(verdicts.map(({ line }) => line)).toEqual([2, 4]);
});

/** An archive of one entry, which may lie about its size. */
function zipOf(name: string, content: Buffer, said = content.length): Buffer {
  const packed = deflateRawSync(content);
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(8, 8);
  local.writeUInt32LE(crc32(content), 14);
  local.writeUInt32LE(packed.length, 18);
  local.writeUInt32LE(said, 22);
  local.writeUInt16LE(name.length, 26);
  const central = Buffer.alloc(46);
  central.writeUInt32LE(0x02014b50, 0);
  central.writeUInt16LE(8, 10);
  central.writeUInt32LE(packed.length, 20);
  central.writeUInt32LE(said, 24);
  central.writeUInt16LE(name.length, 28);
  const start = local.length + name.length + packed.length;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(start, 16);
  return Buffer.concat([local, Buffer.from(name), packed, central, Buffer.from(name), end]);
}

const codesOf = async (book: Buffer) => (await read(book)).fileProblems.map(({ code }) => code);
const BOMB = Buffer.alloc(80 * 1024 ** 2);

test("F86 a workbook that unpacks to too much is refused, whether it says so or not", async () => {
  const name = "xl/worksheets/sheet1.xml";
  expect(await codesOf(zipOf(name, BOMB))).toEqual(["workbook_too_large"]);
  expect(await codesOf(zipOf(name, BOMB, 1_000))).toEqual(["workbook_too_large"]);
});

test.each([
  [
    "an archive that is cut off",
    async () => (await bookOf(GOOD)).subarray(0, 900),
    "workbook_broken",
  ],
  ["an archive of something else", async () => zipOf("a.txt", Buffer.from("a")), "file_not_text"],
  [
    "a sheet that is none",
    async () => zipOf("xl/worksheets/sheet1.xml", Buffer.from("<x")),
    "workbook_broken",
  ],
])("%s is refused in words", async (_what, book, code) => {
  expect(await codesOf(await book())).toEqual([code]);
});
