import { expect, test } from "vitest";
import { openFile } from "#intake/file-reader.ts";
import { DEFAULT_FILE_LIMITS } from "#intake/text/file-limits.ts";
import { type RowVerdict } from "#intake/row.ts";
import { DEFAULT_ROW_SETTINGS } from "#intake/row-settings.ts";
import { allProblems, inChunks, type ReadFile, readFile } from "../../support/samples.ts";
import { csv, HEADER, ROW } from "../csv-file.ts";

const read = (text: string | Uint8Array, chunkBytes?: number): Promise<ReadFile> =>
  readFile(inChunks(typeof text === "string" ? Buffer.from(text) : text, chunkBytes));

const codes = (file: ReadFile) => allProblems(file).map(({ code }) => code);
const drafts = ({ verdicts }: ReadFile) =>
  verdicts.map((row) =>
    row.kind === "draft" ? row.draft : row.problems.map(({ code, column }) => ({ code, column })),
  );
const lines = ({ verdicts }: ReadFile) => verdicts.map(({ line }) => line);

/** Enough rows that the file is read in several blocks, some with quotes and line breaks. */
function longFile(count: number): { readonly text: string; readonly starts: readonly number[] } {
  const starts: number[] = [];
  let text = `${HEADER.join(",")}\r\n`;
  let line = 2;
  for (let i = 0; i < count; i++) {
    starts.push(line);
    const name = i % 97 === 0 ? '"Nurul\r\n""Huda"""' : "Nurul Huda";
    text += `MY-${i},MYR,${i + 1}.50,${name},5123456789,MBB,Maybank Berhad\r\n`;
    line += i % 97 === 0 ? 2 : 1;
    if (i % 1_000 === 0) {
      text += "\r\n";
      line++;
    }
  }
  return { text, starts };
}

test("keeps lines and rows exact across block borders", async () => {
  const { text, starts } = longFile(6_000);
  expect(text.length).toBeGreaterThan(4 * 65_536);
  expect(lines(await read(text, 1_000))).toEqual(starts);
});

test("F83 reports an unclosed quote in a long file on its line, whatever follows", async () => {
  for (const after of [50, 3_000]) {
    const { text } = longFile(3_000);
    const broken = `${HEADER.join(",")}\n${csv([ROW]).repeat(10)}MY,MYR,1.00,"Nurul,5,MBB,M\n${csv([ROW]).repeat(after)}`;
    expect(await read(broken)).toMatchObject({
      refused: true,
      fileProblems: [{ code: "quote_unbalanced", line: 12 }],
    });
    expect(await read(broken + text)).toMatchObject({
      refused: true,
      fileProblems: [{ code: "quote_unbalanced", line: 12 }],
    });
  }
});

test("F80 finds an invalid byte deep inside a file at its offset", async () => {
  const { text } = longFile(4_000);
  const bytes = Buffer.concat([
    Buffer.from("\ufeff"),
    Buffer.from(text),
    Buffer.from([0xff]),
    Buffer.from("x\n"),
  ]);
  const offset = bytes.length - 3;
  const file = await read(bytes, 999);
  expect(file.fileProblems).toMatchObject([{ code: "encoding_invalid" }]);
  expect(file.fileProblems[0]?.message).toContain(` ${offset} `);
});

test("F80 recognises Windows-1252 by its first byte, even late in the file", async () => {
  const { text } = longFile(3_000);
  const late = csv([["PH-x", "PHP", "1.00", "Zoë – Ann", "5123456789", "BDO", "B"]]);
  const bytes = Buffer.from(`${text}${late}`.replace("–", "\u0096"), "latin1");
  const file = await read(bytes);
  expect(file.facts?.encoding).toBe("Windows-1252");
  expect(file.fileProblems.map(({ code }) => code)).toEqual(["encoding_guessed"]);
  const last = file.verdicts.at(-1);
  expect(last?.kind === "draft" && last.draft.details.account_name).toBe("Zoë – Ann");
});

test("F80 refuses a byte that Windows-1252 does not define", async () => {
  const bytes = Buffer.from(
    csv([HEADER, ["MY", "MYR", "1", "Zo\u0081", "5123456789", "MBB", "M"]]),
    "latin1",
  );
  expect(codes(await read(bytes))).toEqual(["encoding_invalid"]);
});

test.each([
  ["a 100 MB line", () => repeated("x".repeat(1 << 20), 100), "record_too_large"],
  ["a quote that never closes", () => repeated(`"${"x".repeat(1 << 20)}`, 1), "quote_unbalanced"],
  ["a million columns", () => repeated("a,".repeat(1 << 19), 2), "record_too_large"],
] as const)("F85 stops reading early at %s", async (_, source, code) => {
  let seen = 0;
  async function* counted() {
    yield Buffer.from(csv([HEADER, ROW]));
    for await (const chunk of source()) {
      seen += chunk.length;
      yield chunk;
    }
  }
  const file = await readFile(counted());
  expect(file.fileProblems).toMatchObject([{ code, line: 3 }]);
  expect(seen).toBeLessThan(3 << 20);
});

async function* repeated(text: string, times: number) {
  for (let i = 0; i < times; i++) yield Buffer.from(text);
}

test.each([
  [19, null],
  [20, "20"],
  [21, "20"],
  [22, null],
  [50, "50"],
])("F97 treats %i lines as cut off by a spreadsheet with that limit: %j", async (count, lines) => {
  const text = csv([HEADER]) + csv([ROW]).repeat(count - 1);
  const limits = { ...DEFAULT_FILE_LIMITS, spreadsheetLines: [20, 50] };
  const { fileProblems } = await readFile(inChunks(Buffer.from(text)), undefined, limits);
  expect(fileProblems.map(({ code }) => code)).toEqual(lines ? ["rows_at_spreadsheet_limit"] : []);
  expect(fileProblems[0]?.message.includes(`exactly ${lines} lines`)).toBe(
    lines ? true : undefined,
  );
});

test("detects files cut off at the limits of XLS and XLSX, and reads 2 GB and rows of 64 kB", () => {
  expect(DEFAULT_FILE_LIMITS).toMatchObject({
    spreadsheetLines: [2 ** 16, 2 ** 20],
    bytesMax: 2 ** 31,
    recordBytesMax: 2 ** 16,
  });
});

test.each([
  ["User ID", "CURRENCY-CODE", "transaction amount", "AccountName"],
  [" user_id ", "Currency Code", "TransactionAmount", "ACCOUNT__NAME"],
])("accepts the header spellings %s, %s, %s, %s", async (...names) => {
  const file = await read(csv([names, ["TR-1", "TRY", "5.00", "Ayşe Yılmaz"]]));
  expect(codes(file)).toEqual(["value_wanted"]);
  expect(drafts(file)).toMatchObject([{ money: { minor: 500n } }]);
});

test("refuses a file without all required columns and lists them in one message", async () => {
  const file = await read("user_id,note\nU1,hello\n");
  expect(codes(file)).toEqual(["columns_missing"]);
  expect(file.fileProblems[0]?.message).toBe(
    "The header is missing currency_code, transaction_amount, account_name.",
  );
});

test("F82 prefers sep= over the delimiter that the header suggests", async () => {
  const file = await read(`sep=;\r\n${csv([HEADER, ROW], ";", "\r\n")}`);
  expect(file.facts?.delimiter).toBe(";");
  expect(lines(file)).toEqual([3]);
});

test("F81 ignores delimiters at the end of a line and reports a surplus value", async () => {
  const head = csv([HEADER]);
  expect(codes(await read(`${head}${ROW.join(",")},,,\n`))).toEqual([]);
  expect(codes(await read(`${head}${ROW.join(",")},,x\n`))).toEqual(["row_too_long"]);
  expect(codes(await read(`${head}${ROW.slice(0, 6).join(",")}\n`))).toEqual(["row_too_short"]);
});

test("F84 keeps NUL characters out of the stored row", async () => {
  const { verdicts } = await read(csv([HEADER]) + csv([ROW]).replace("Nurul", "Nu\0rul"));
  expect(verdicts).toMatchObject([
    { kind: "rejected", problems: [{ code: "nul_character", column: "account_name" }] },
  ]);
  expect((verdicts[0] as RowVerdict).cells.join("")).not.toContain("\0");
});

test("counts rows, rejected rows and warnings, including the warnings of rejected rows", async () => {
  const rows = [ROW, ROW.with(2, "20.00").with(5, "mbb"), ROW.with(2, "0").with(5, "mbb")];
  const opened = await openFile(
    inChunks(Buffer.from(csv([HEADER, ...rows]))),
    DEFAULT_ROW_SETTINGS,
  );
  if (!opened.ok) throw new Error("refused");
  const { rows: chunks, end } = opened.value;
  expect(() => end()).toThrow("end() before the rows are exhausted");
  for await (const chunk of chunks) expect(chunk).toHaveLength(3);
  expect(end()).toMatchObject({ value: { rows: 3, rejected: 1, warnings: 2 } });
});

test("reads a file of exactly the maximum size and refuses a larger one", async () => {
  const bytes = Buffer.from(csv([HEADER, ROW]));
  const codesWith = async (limits: Partial<typeof DEFAULT_FILE_LIMITS>) =>
    codes(await readFile(inChunks(bytes), undefined, { ...DEFAULT_FILE_LIMITS, ...limits }));
  expect(await codesWith({ bytesMax: bytes.length, rowsMax: 1 })).toEqual([]);
  expect(await codesWith({ bytesMax: bytes.length - 1 })).toEqual(["file_too_large"]);
  expect(await codesWith({ rowsMax: 0 })).toEqual(["rows_too_many"]);
});

test("gives equal bytes the same digest and changed bytes another", async () => {
  const digest = async (text: string) => {
    const opened = await openFile(inChunks(Buffer.from(text), 5), DEFAULT_ROW_SETTINGS);
    if (!opened.ok) throw new Error("refused");
    for await (const chunk of opened.value.rows) expect(chunk.length).toBeGreaterThan(0);
    const end = opened.value.end();
    return end.ok ? end.value.digest : null;
  };
  const file = csv([HEADER, ROW]);
  const { createHash } = await import("node:crypto");
  expect(await digest(file)).toBe(createHash("sha256").update(file).digest("hex"));
  expect(await digest(file)).not.toBe(await digest(`${file}\n`));
});
