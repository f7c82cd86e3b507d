import { describe, expect, test } from "vitest";
import { allProblems, inChunks, type ReadFile, readFile } from "../../support/samples.ts";
import { csv, HEADER, ROW } from "../csv-file.ts";

const read = (text: string) => readFile(inChunks(Buffer.from(text)));
const codes = (file: ReadFile) => allProblems(file).map(({ code }) => code);

test.each([
  ["NULs", "\0\0\0\0"],
  ["one NUL", "\0"],
  ["Ctrl-Z", "\x1a"],
  ["Ctrl-Z and line ends", "\x1a\r\n\x1a"],
  ["blanks and NULs", "  \0 "],
])("F81 treats a file that ends in %s as padded, without missing cells", async (_what, padding) => {
  const { verdicts } = await read(csv([HEADER, ROW]) + padding);
  const [row, ...padded] = verdicts;
  expect(row?.kind).toBe("draft");
  expect(padded.length).toBeGreaterThan(0);
  for (const { kind, cells, ...verdict } of padded) {
    const { line } = verdict;
    const found = expect.stringMatching(/\\u\{(?:0|1a)\}/);
    expect(verdict).toMatchObject({ problems: [{ code: "row_is_padding", line, found }] });
    expect([kind, cells.join("").includes("\0")]).toEqual(["rejected", false]);
  }
});

test("recognises the header of an appended file and does not pay it", async () => {
  const names = HEADER.map((name) => name.toUpperCase());
  const { verdicts } = await read(`${csv([names, ROW])}\ufeff${csv([names, ROW.with(2, "9")])}`);
  expect(verdicts.map(({ kind }) => kind)).toEqual(["draft", "rejected", "draft"]);
  expect(verdicts[1]).toMatchObject({ problems: [{ code: "row_is_header", line: 3 }] });
});

test("F81 reports a truncated and padded row as short and damaged", async () => {
  const file = await read(`${csv([HEADER, ROW])}MY-2,MYR,1\0\0`);
  expect(allProblems(file)).toMatchObject([
    { code: "row_too_short", line: 3 },
    { code: "nul_character", line: 3, column: HEADER[2] },
  ]);
});

test("F81 reports a row whose first cell is only a NUL as damaged, not as padding", async () => {
  expect(codes(await read(csv([HEADER, ROW.with(0, "\0")])))).toEqual(["nul_character"]);
});

describe("F83 rows swallowed by stray quotes", () => {
  const head = csv([[...HEADER, "note", ""]]);
  const swallowing = (place: number, lineEnd = "\n") =>
    csv([[...ROW, "", ""].with(place, `5 inch${lineEnd}MY-2,MYR${lineEnd}6 inch`)]);

  test.each([
    [7, "note", "\n"],
    [7, "note", "\r\n"],
    [8, "9", "\r"],
  ])("are reported with their line in an ignored cell (%i, %s)", async (place, column, lineEnd) => {
    const { verdicts } = await read(head + csv([[...ROW, "x", ""]]) + swallowing(place, lineEnd));
    const told = verdicts.map((row) => row.kind === "draft" && row.warnings);
    expect(told).toMatchObject([
      [],
      [{ code: "lines_in_ignored_cell", line: 3, column }, { code: "row_repeated" }],
    ]);
    expect(told[1]).toMatchObject([{ message: expect.stringContaining("spans 3 lines") }, {}]);
  });

  test("are also reported in a cell that the currency does not use", async () => {
    const text = csv([
      [...HEADER, "address"],
      [...ROW, "a\nb"],
    ]);
    expect(codes(await read(text))).toEqual(["value_unused", "lines_in_ignored_cell"]);
  });
});
