import { describe, expect, test } from "vitest";
import { WESTERN_NAME_CURRENCIES } from "#payout/rules/currency-rules.ts";
import { allProblems, inChunks, type ReadFile, readFile } from "../../support/samples.ts";
import { csv, HEADER } from "../csv-file.ts";

const read = (bytes: Uint8Array) => readFile(inChunks(bytes));
const codes = (file: ReadFile) => allProblems(file).map(({ code }) => code);
const drafts = ({ verdicts }: ReadFile) =>
  verdicts.map((row) =>
    row.kind === "draft" ? row.draft : row.problems.map(({ code, column }) => ({ code, column })),
  );

describe("F80 a letter in a guessed code page", () => {
  /** Rows as a program with that code page saves them: `\xnn` is one byte. */
  const guessed = (...rows: readonly (readonly string[])[]) =>
    Buffer.from(csv([HEADER, ...rows]), "latin1");
  const THB = ["TH-1", "THB", "500.25", "Malee", "1122330793", "4", "KasiKorn Bank"];

  // biome-ignore format: the columns are the point
  test.each([
    ["THB", "TIS-620",      "\xca\xc1\xaa\xd2\xc2",  "ÊÁªÒÂ"],
    ["CNY", "GB18030",      "\xd5\xc5\xce\xb0",      "ÕÅÎ°"],
    ["KRW", "EUC-KR",       "\xb1\xe8\xbf\xb5",      "±è¿µ"],
    ["JPY", "Shift-JIS",    "\x8eR\x93c\x91\xbe",     "ŽR“c‘¾"],
    ["TRY", "Windows-1254", "\xdeahin",             "Þahin"],
    ["VND", "Windows-1258", "Nguy\xean",            "Nguyên"],
    ["IDR", "Windows-1251", "\xc0\xed\xed\xe0",      "Àííà"],
  ])("refuses the name of a %s row in %s", async (currency, _page, name, shown) => {
    const { verdicts, fileProblems } = await read(guessed(THB.with(1, currency).with(3, name)));
    const [verdict] = verdicts;
    expect(fileProblems.map(({ code }) => code)).toEqual(["encoding_guessed"]);
    expect(verdict?.kind === "rejected" && verdict.problems).toContainEqual(
      expect.objectContaining({
        code: "encoding_doubtful",
        severity: "error",
        line: 2,
        column: "account_name",
        found: shown,
        correction: expect.stringContaining('"CSV UTF-8"'),
      }),
    );
  });

  test("reports the problem once and no other problem", async () => {
    const file = await read(guessed(THB.with(3, "\xe3 \xad").with(6, "\xa1\xca")));
    expect(drafts(file)).toEqual([
      [
        { code: "encoding_doubtful", column: "account_name" },
        { code: "encoding_doubtful", column: "bank_name" },
      ],
    ]);
  });

  test("accepts letters in currencies where people write Windows-1252, and in fields that are not sent", async () => {
    const brl = ["BR-1", "BRL", "10.00", "Jo\xe3o", "12345678062", "CPF", "12345678062"];
    const php = ["PH-1", "PHP", "10.00", "Mu\xf1oz", "5123456789", "BDO", "Banco De Oro"];
    const text = csv([[...HEADER, "reference", "note"]])
      .concat(csv([[...brl, "", ""]]), csv([[...php, "", ""]]))
      .concat(csv([[...THB, "caf\xe9", "caf\xe9"]]));
    const { verdicts } = await read(Buffer.from(text, "latin1"));
    expect(verdicts.map(({ kind }) => kind)).toEqual(["draft", "draft", "draft"]);
  });

  test.each([
    ["of a Macintosh", "Pe\x96a"],
    ["of a Macintosh", "PE\x84A"],
    ["of a Macintosh", "Jo\x8bo"],
    ["of a Macintosh", "Ant\x99nio"],
    ["of DOS", "Concei\x87\xc6o"],
    ["of DOS", "Jos\x82"],
    ["of DOS", "Mu\xa4oz"],
    ["of DOS", "Jo\xc6o Ant\x93nio Jos\x82"],
  ])("doubts a letter there that is a letter %s: %j", async (_page, name) => {
    const brl = ["BR-1", "BRL", "10.00", name, "12345678062", "CPF", "12345678062"];
    const php = ["PH-1", "PHP", "10.00", name, "09171234567", "gcash", "Gcash"];
    const doubted = [{ code: "encoding_doubtful", column: "account_name" }];
    expect(drafts(await read(guessed(brl, php)))).toEqual([doubted, doubted]);
  });

  test.each([
    "D\x92\xc1vila",
    "Cruz\x96Santos",
    "Jos\xe9 \x96 ME",
    "2\xba Of\xedcio",
    "M\xaa \xd1",
  ])("accepts a letter there that is typical of Windows: %j", async (name) => {
    const brl = ["BR-1", "BRL", "10.00", name, "12345678062", "CPF", "12345678062"];
    const { verdicts } = await read(guessed(brl));
    expect(verdicts).toMatchObject([{ kind: "draft" }]);
  });

  test("doubts every field of a row with an unknown currency", async () => {
    const file = await read(guessed(THB.with(1, "TBH").with(3, "\xca\xc1").with(6, "\xa1\xca")));
    expect(drafts(file)).toEqual([
      [
        { code: "currency_unknown", column: "currency_code" },
        { code: "encoding_doubtful", column: "account_name" },
        { code: "encoding_doubtful", column: "bank_name" },
      ],
    ]);
  });

  test.each([
    ["too long", [...THB, "x"], "row_too_long"],
    ["too short", THB.slice(0, -1), "row_too_short"],
    ["damaged", THB.with(0, "\0"), "nul_character"],
  ])("doubts a letter in a row that is %s", async (_, row, code) => {
    const [{ code: first, column } = {}, ...rest] = (
      await read(guessed(row.with(3, "\xca\xc1")))
    ).verdicts.flatMap((verdict) => (verdict.kind === "rejected" ? verdict.problems : []));
    expect([first, column === null || column === "user_id"]).toEqual([code, true]);
    expect(rest).toMatchObject([{ code: "encoding_doubtful", column: null, line: 2, found: null }]);
    expect(rest[0]?.message).toMatch(/^The row may contain incorrect characters: /);
    // Rows of one file differ by their currency, so the finding names the rule.
    for (const currency of WESTERN_NAME_CURRENCIES) expect(rest[0]?.message).toContain(currency);
    expect(codes(await read(guessed(row)))).toEqual([code]);
    expect(codes(await read(guessed(row.with(1, "BRL").with(3, "\xe3"))))).toEqual([
      "encoding_guessed",
      code,
    ]);
  });

  test("doubts a callback URL, but not in a file that declares its encoding", async () => {
    const head = csv([[...HEADER, "callback_url"]]);
    const row = csv([[...THB, "https://example.com/\xe9"]]);
    const codesOf = async (bytes: Buffer) => codes(await read(bytes));
    expect(await codesOf(Buffer.from(head + row, "latin1"))).toEqual([
      "encoding_guessed",
      "encoding_doubtful",
    ]);
    expect(await codesOf(Buffer.from(head + row))).toEqual(["callback_not_allowed"]);
  });
});
