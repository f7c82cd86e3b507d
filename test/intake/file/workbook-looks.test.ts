/** How formatting changes the value that a sheet shows for a cell. */
import { describe, expect, test } from "vitest";
import { DEFAULT_ROW_SETTINGS } from "#intake/row-settings.ts";
import { inChunks, readFile } from "../../support/samples.ts";
import { type Entry, text, zipOf } from "../workbook/archive.ts";
import {
  cell,
  GOOD,
  HEAD,
  PARTS,
  put,
  rowOf,
  sheetOf,
  type Value,
} from "../workbook/workbook-parts.ts";

const read = (...parts: readonly Entry[]) =>
  readFile(inChunks(zipOf(...parts), 1_000), DEFAULT_ROW_SETTINGS);
/** The findings of each row: whether it can be paid, and its problems. */
const said = async (...parts: readonly Entry[]) =>
  (await read(...PARTS, ...parts)).verdicts.map((verdict) => {
    const problems = verdict.kind === "draft" ? verdict.warnings : verdict.problems;
    return [verdict.kind, ...problems.map(({ code, column }) => `${code} ${column}`)].join(" ");
  });
/** The first cell format is the default; the second has this code. */
const stylesOf = (code: string, id = 200) =>
  text(
    "xl/styles.xml",
    `<styleSheet><numFmts><numFmt numFmtId="${id}" formatCode="${code}"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="${id}"/></cellXfs></styleSheet>`,
  );

describe("a text that its format shows differently", () => {
  const inFormat = (place: string, code: string) => {
    const row = rowOf(2, GOOD).replace(`r="${place}"`, `r="${place}" s="1"`);
    return said(sheetOf(HEAD, row), stylesOf(code));
  };

  test.each([
    ["E2", ";;;", "digits_not_kept bank_account_number"],
    ["E2", "@&quot;99&quot;", "digits_not_kept bank_account_number"],
    ["A2", "&quot;EMP-&quot;@", "digits_not_kept user_id"],
    ["D2", "0;0;0;&quot;***&quot;", "digits_not_kept account_name"],
    ["C2", ";;;", "amount_shown_otherwise transaction_amount"],
    ["C2", "@&quot;000&quot;", "amount_shown_otherwise transaction_amount"],
  ])("is refused: %s in %s", async (place, code, problem) => {
    expect(await inFormat(place, code)).toEqual([`rejected ${problem}`]);
  });

  test.each([
    ["E2", "@"],
    ["E2", "0000000000"],
    ["D2", "_-@_-"],
    ["C2", "@&quot; INR&quot;"],
    ["C2", "₹ @"],
  ])("is accepted when it is shown completely: %s in %s", async (place, code) => {
    expect(await inFormat(place, code)).toEqual(["draft"]);
  });

  test.each(["&quot;EUR&quot; @", "[$€-407] @", "€ @"])(
    "is read as an amount, and reported when shown in another currency: %s",
    async (code) => {
      expect(await inFormat("C2", code)).toEqual([
        "draft amount_in_other_currency transaction_amount",
      ]);
    },
  );

  test("is not read as text when blank", async () => {
    const row = rowOf(2, put(7, " ")).replace('r="H2"', 'r="H2" s="1"');
    const blank = rowOf(3, [" "]).replace('r="A3"', 'r="A3" s="1"');
    expect(await said(sheetOf(HEAD, row, blank), stylesOf(";;;"))).toEqual([
      "rejected value_missing bank_name",
    ]);
  });

  test("may be in a header as in any other row", async () => {
    const head = HEAD.replaceAll(/r="(\w+1)"/g, 'r="$1" s="1"');
    expect(await said(sheetOf(head, rowOf(2, GOOD)), stylesOf("@&quot; *&quot;"))).toEqual([
      "draft",
    ]);
  });
});

describe("a number shown with words next to it", () => {
  const numberIn = (place: string, code: string, number = "1234567890") => {
    const value = String(GOOD["ABCDEFGH".indexOf(place[0] ?? "")]);
    const row = rowOf(2, GOOD).replace(
      cell(place, value),
      `<c r="${place}" s="1"><v>${number}</v></c>`,
    );
    return said(sheetOf(HEAD, row), stylesOf(code));
  };

  test.each(["&quot;EMP-&quot;0", "0\\A", "0 USD"])(
    "is read as a different text: %s",
    async (code) => {
      expect(await numberIn("A2", code)).toEqual(["rejected digits_not_kept user_id"]);
    },
  );

  test.each(["[$kr-406] 0", "0&quot;-&quot;", "General", "0.00E+00"])(
    "is read as the number: %s",
    async (code) => {
      expect(await numberIn("E2", code)).toEqual(["draft number_not_text bank_account_number"]);
    },
  );

  test("is read as the amount", async () => {
    expect(await numberIn("C2", "0.00&quot; INR&quot;", "100.5")).toEqual(["draft"]);
  });

  test("is read as the amount, with a warning when the words name another currency than the row", async () => {
    const warned = ["draft amount_in_other_currency transaction_amount"];
    expect(await numberIn("C2", "[$€-407] #,##0.00", "100.5")).toEqual(warned);
    const row = rowOf(2, GOOD).replace(cell("C2", "100.00"), '<c r="C2" s="1"><v>100</v></c>');
    expect(await said(sheetOf(HEAD, row), stylesOf("&quot;$&quot;0", 44))).toEqual(["draft"]);
    const unknown = row.replace("INR", "EUR");
    expect(await said(sheetOf(HEAD, unknown), stylesOf("[$€-407] 0"))).toEqual([
      "rejected currency_unknown currency_code",
    ]);
  });
});

describe("a cell under a merged one", () => {
  const merged = (refs: readonly string[], ...rows: readonly (readonly Value[])[]) => {
    const lines = rows.map((row, at) => rowOf(at + 2, row));
    const areas = refs.map((ref) => `<mergeCell ref="${ref}"/>`).join("");
    const { name, content } = sheetOf(HEAD, ...lines);
    return said(text(name, String(content).replace("</worksheet>", `${areas}</worksheet>`)));
  };
  const bankless = GOOD.with(7, "");

  test("is refused when it holds an invisible value", async () => {
    expect(await merged(["C2:C3"], GOOD, put(2, "900"))).toEqual([
      "draft",
      "rejected cell_merged transaction_amount",
    ]);
    expect(await merged(["C2:D2"], GOOD)).toEqual(["rejected cell_merged account_name"]);
  });

  test("is refused when it shows the value above", async () => {
    expect(await merged(["H2:H3"], GOOD, bankless)).toEqual([
      "draft",
      "rejected value_missing bank_name cell_merged bank_name",
    ]);
  });

  test("is empty when it is shown empty or with the value next to it", async () => {
    const said = ["rejected value_missing bank_name"];
    expect(await merged(["G2:H2"], bankless)).toEqual(said);
    expect(await merged(["H2:H3"], bankless, bankless.with(2, "9"))).toEqual([said, said].flat());
  });

  test("is ignored outside the table and in its header", async () => {
    expect(await merged(["J2:K3", "A1:A1", "A9:H9"], GOOD)).toEqual(["draft"]);
  });

  test("reports a merge over a whole row without removing a value", async () => {
    expect(await merged(["A2:H3"], GOOD, put(0, "U-2"))).toHaveLength(2);
  });
});

test("reads numbers that a conditional format may change, and reports their cells", async () => {
  const dxfs = '<dxfs><dxf><numFmt numFmtId="201" formatCode="#,##0,"/></dxf></dxfs>';
  const { name, content } = stylesOf("0");
  const styles = text(name, String(content).replace("</styleSheet>", `${dxfs}</styleSheet>`));
  const sheet = sheetOf(HEAD, rowOf(2, GOOD));
  const rule =
    '<conditionalFormatting sqref="C2:C9"><cfRule dxfId="0"/></conditionalFormatting></worksheet>';
  const ruled = text(sheet.name, String(sheet.content).replace("</worksheet>", rule));
  const { fileProblems, verdicts } = await read(...PARTS, ruled, styles);
  expect(fileProblems).toMatchObject([{ code: "formats_by_condition", severity: "warning" }]);
  expect(fileProblems[0]?.message).toContain("the numbers shown in C2:C9.");
  expect(verdicts).toMatchObject([{ kind: "draft" }]);
});

test("reads an amount that a conditional format may show in another currency, and reports its row", async () => {
  const dxfs = '<dxfs><dxf><numFmt numFmtId="201" formatCode="[$€-407] 0.00"/></dxf></dxfs>';
  const { name, content } = stylesOf("0");
  const styles = text(name, String(content).replace("</styleSheet>", `${dxfs}</styleSheet>`));
  const numbers = [2, 3].map((line) =>
    rowOf(line, put(4, `5010000${line}`)).replace(
      cell(`C${line}`, "100.00"),
      `<c r="C${line}"><v>12345678.25</v></c>`,
    ),
  );
  const sheet = sheetOf(HEAD, ...numbers);
  const rule =
    '<conditionalFormatting sqref="C3:C9"><cfRule dxfId="0"/></conditionalFormatting></worksheet>';
  const ruled = text(sheet.name, String(sheet.content).replace("</worksheet>", rule));
  expect(await said(ruled, styles)).toEqual([
    "draft",
    "draft amount_in_other_currency transaction_amount",
  ]);
});

test("counts rows with a partly struck-out text as well", async () => {
  const rich = "<r><rPr><strike/></rPr><t>Asha</t></r><r><t> Rao</t></r>";
  const strings = text("xl/sharedStrings.xml", `<sst><si><t>x</t></si><si>${rich}</si></sst>`);
  const sheet = sheetOf(
    HEAD,
    rowOf(2, GOOD),
    rowOf(3, put(4, "5010001234")).replace(cell("D3", "Asha Rao"), '<c r="D3" t="s"><v>1</v></c>'),
  );
  const { fileProblems, verdicts } = await read(...PARTS, sheet, strings);
  expect(fileProblems).toMatchObject([{ code: "rows_struck_out" }]);
  expect(fileProblems[0]?.message).toContain("struck-through text (1).");
  expect(verdicts[1]).toMatchObject({ draft: { details: { account_name: "Asha Rao" } } });
});

test("names an empty first sheet when there are others", async () => {
  const second = text("xl/worksheets/sheet2.xml", String(sheetOf(HEAD, rowOf(2, GOOD)).content));
  const { fileProblems, refused } = await read(...PARTS, sheetOf(), second);
  expect([refused, fileProblems]).toMatchObject([true, [{ code: "first_sheet_empty" }]]);
  expect(fileProblems[0]?.message).toBe(
    "The first sheet in the workbook, Pay, is empty. The workbook has 2 sheets.",
  );
});

test("reads and counts rows with a struck-out cell", async () => {
  const styles = text(
    "xl/styles.xml",
    '<styleSheet><fonts><font/><font><strike/></font></fonts><cellXfs><xf/><xf fontId="1"/></cellXfs></styleSheet>',
  );
  const struck = rowOf(3, put(4, "5010001234")).replace('r="C3"', 'r="C3" s="1"');
  const empty = '<row r="4"><c r="A4" s="1"/></row>';
  const sheet = sheetOf(HEAD, rowOf(2, GOOD), struck, empty);
  const { fileProblems, verdicts } = await read(...PARTS, sheet, styles);
  expect(fileProblems).toMatchObject([{ code: "rows_struck_out", severity: "warning" }]);
  expect(fileProblems[0]?.message).toContain("struck-through text (1).");
  expect(verdicts).toMatchObject([{ kind: "draft" }, { kind: "draft" }]);
});
