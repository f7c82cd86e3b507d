import { deepEqual, equal, notEqual, ok } from "node:assert/strict";
import fc from "fast-check";
import { openFile } from "#intake/file-reader.ts";
import { COLUMNS } from "#intake/header/columns.ts";
import { DEFAULT_ROW_SETTINGS } from "#intake/row-settings.ts";
import { inChunks, sampleBytes } from "../../support/samples.ts";
import {
  anyRows,
  breaksIn,
  csv,
  drafts,
  HEAD,
  HEADER,
  isBlank,
  lines,
  quoted,
  read,
  ROW,
  SHARE,
} from "./csv-text.ts";
import { law } from "../base/law.ts";

export const FILE_LAWS = [
  law(
    "the delimiter does not change the result of a row (F82)",
    fc.tuple(anyRows, fc.constantFrom(";", "\t")),
    async ([rows, delimiter]) => {
      const other = await read(csv([HEADER, ...rows], delimiter));
      equal(other.facts?.delimiter, delimiter);
      deepEqual(other.verdicts, (await read(csv([HEADER, ...rows]))).verdicts);
    },
    SHARE,
  ),
  law(
    "the delimiter is the one that finds the known columns, whatever else the header contains",
    fc.tuple(
      fc.shuffledSubarray([",", ";", "\t"], { minLength: 2, maxLength: 2 }),
      fc.integer({ min: 1, max: 30 }),
    ),
    async ([[delimiter = ",", other = ";"], count]) => {
      const name = `note${`${other}x`.repeat(count)}`;
      const line = (cells: readonly string[]) => `${cells.join(delimiter)}\n`;
      const file = await read(line([...HEADER, name]) + line([...ROW, "1"]));
      equal(file.facts?.delimiter, delimiter);
      deepEqual(drafts(file), drafts(await read(csv([HEADER, ROW]))));
    },
    SHARE,
  ),
  law(
    "line breaks do not change the result of a row (F81)",
    fc.tuple(anyRows, fc.constantFrom("\r\n", "\r")),
    async ([rows, lineEnd]) => {
      deepEqual(
        (await read(csv([HEADER, ...rows], ",", lineEnd))).verdicts,
        (await read(csv([HEADER, ...rows]))).verdicts,
      );
    },
    SHARE,
  ),
  law(
    "unnecessary quotes do not change the result of a row",
    fc.tuple(anyRows, fc.boolean()),
    async ([rows, headToo]) => {
      const line = (row: readonly string[]) => `${row.map(quoted).join(",")}\n`;
      const text = (headToo ? line(HEADER) : HEAD) + rows.map(line).join("");
      deepEqual((await read(text)).verdicts, (await read(csv([HEADER, ...rows]))).verdicts);
    },
    SHARE,
  ),
  law(
    "the order of the columns does not change the result of a row",
    fc.tuple(anyRows, fc.shuffledSubarray([...HEADER.keys()], { minLength: HEADER.length })),
    async ([rows, places]) => {
      const moved = [HEADER, ...rows].map((row) => places.map((place) => row[place] ?? ""));
      deepEqual(drafts(await read(csv(moved))), drafts(await read(csv([HEADER, ...rows]))));
    },
    SHARE,
  ),
  law(
    "case, blanks, dashes and underscores of the header do not change the result of a row",
    fc.tuple(
      anyRows,
      fc.array(fc.constantFrom("_", " ", "-", "", "__", " - "), { minLength: 7, maxLength: 7 }),
      fc.boolean(),
    ),
    async ([rows, signs, isUpper]) => {
      const names = HEADER.map((name, i) => ` ${name.replaceAll("_", signs[i] ?? "")} `);
      const spelled = names.map((name) => (isUpper ? name.toUpperCase() : name));
      deepEqual(
        (await read(csv([spelled, ...rows]))).verdicts,
        (await read(csv([HEADER, ...rows]))).verdicts,
      );
    },
    SHARE,
  ),
  law(
    "each unknown column adds a note and changes no other result",
    fc.tuple(anyRows, fc.integer({ min: 1, max: 5 }), fc.nat(7)),
    async ([rows, count, at]) => {
      const more = (cells: readonly string[]) => (row: readonly string[]) =>
        row.toSpliced(at, 0, ...cells);
      const names = Array.from({ length: count }, (_, i) => `column ${i}`);
      const cells = names.map(() => "something");
      const filled = rows.filter((row) => !isBlank(row));
      fc.pre(filled.length > 0);
      const other = await read(csv([more(names)(HEADER), ...filled.map(more(cells))]));
      deepEqual(drafts(other), drafts(await read(csv([HEADER, ...filled]))));
      deepEqual(
        other.fileProblems.map(({ code }) => code),
        names.map(() => "column_ignored"),
      );
    },
    SHARE,
  ),
  law(
    "every row has one result, on the line where it starts (F81)",
    fc.tuple(anyRows, fc.constantFrom("\n", "\r\n")),
    async ([rows, lineEnd]) => {
      let line = 2;
      const starts: number[] = [];
      for (const row of rows) {
        if (!isBlank(row)) starts.push(line);
        line += 1 + row.reduce((breaks, text) => breaks + breaksIn(text), 0);
      }
      deepEqual(lines(await read(csv([HEADER, ...rows], ",", lineEnd))), starts);
    },
    SHARE,
  ),
  law(
    "blank lines and rows of empty cells count as lines only (F81)",
    fc.tuple(
      anyRows,
      fc.array(fc.constantFrom("\n", "\r\n", ",,,\n", " , \n", '"",""\n'), { maxLength: 4 }),
    ),
    async ([rows, blanks]) => {
      const plain = await read(csv([HEADER, ...rows]));
      const other = await read(HEAD + blanks.join("") + csv(rows));
      deepEqual(drafts(other), drafts(plain));
      deepEqual(
        lines(other),
        lines(plain).map((line) => line + blanks.length),
      );
    },
    SHARE,
  ),
  law(
    "delimiters at the end of a line are ignored (F81)",
    fc.tuple(anyRows, fc.integer({ min: 1, max: 9 })),
    async ([rows, count]) => {
      const text =
        HEAD + rows.map((row) => csv([row]).replace(/\n$/, `${",".repeat(count)}\n`)).join("");
      deepEqual((await read(text)).verdicts, (await read(csv([HEADER, ...rows]))).verdicts);
    },
    SHARE,
  ),
  law(
    "a last line without a line break is a line",
    anyRows,
    async (rows) => {
      const text = csv([HEADER, ...rows]);
      deepEqual((await read(text.slice(0, -1))).verdicts, (await read(text)).verdicts);
    },
    SHARE,
  ),
  law(
    "the counts of a batch are those of its rows",
    anyRows,
    async (rows) => {
      const opened = await openFile(
        inChunks(Buffer.from(csv([HEADER, ...rows, ROW]))),
        DEFAULT_ROW_SETTINGS,
      );
      if (!opened.ok) throw new Error("refused");
      const verdicts = [];
      for await (const some of opened.value.rows) verdicts.push(...some);
      const end = opened.value.end();
      const rejected = verdicts.filter(({ kind }) => kind === "rejected").length;
      equal(end.ok && end.value.rows, verdicts.length);
      equal(end.ok && end.value.rejected, rejected);
    },
    SHARE,
  ),
  law(
    "no bytes make the reader throw, and a refusal names a problem",
    fc.tuple(
      fc.oneof(
        fc.uint8Array({ maxLength: 400 }),
        fc.string({ unit: "binary", maxLength: 200 }).map((text) => Buffer.from(HEAD + text)),
        fc.tuple(fc.nat(5_000), fc.nat(255)).map(([at, byte]) => {
          const sample = Buffer.from(sampleBytes("mistakes"));
          sample[at % sample.length] = byte;
          return sample;
        }),
      ),
      fc.constantFrom(1, 64, 65_536),
    ),
    async ([content, size]) => {
      const file = await read(content, size);
      ok(file.verdicts.every((row) => row.kind === "draft" || row.problems.length > 0));
      ok(!file.refused || file.fileProblems.length > 0);
      deepEqual(await read(content), file);
    },
    SHARE,
  ),
  law(
    "an unclosed quote refuses the file and names its opening line (F83)",
    fc.tuple(fc.nat(20), fc.nat(20)),
    async ([before, after]) => {
      const text = `${HEAD}${csv([ROW]).repeat(before)}MY,MYR,1.00,"Nurul,5,MBB,M\n${csv([ROW]).repeat(after)}`;
      const { refused, fileProblems } = await read(text);
      deepEqual(
        [refused, fileProblems.map(({ code, line }) => [code, line])],
        [true, [["quote_unbalanced", before + 2]]],
      );
    },
    SHARE,
  ),
  law(
    "a quote inside a cell refuses the file and names its line (F83)",
    fc.tuple(fc.nat(20), fc.constantFrom('a"b', 'a"', ' "a"')),
    async ([before, odd]) => {
      const text = `${HEAD}${csv([ROW]).repeat(before)}${odd},MYR,1.00,Nurul,5,MBB,M\n`;
      const { refused, fileProblems } = await read(text);
      deepEqual(
        [refused, fileProblems.map(({ code, line }) => [code, line])],
        [true, [["quote_inside_cell", before + 2]]],
      );
    },
    SHARE,
  ),
  law(
    "a header that lacks a required column or repeats one refuses the file (F96)",
    fc.tuple(anyRows, fc.nat(3), fc.constantFrom(...COLUMNS)),
    async ([rows, missing, twice]) => {
      const without = csv([HEADER, ...rows].map((row) => row.toSpliced(missing, 1)));
      deepEqual(
        (await read(without)).fileProblems.map(({ code }) => code),
        ["columns_missing"],
      );
      const names = [...new Set([...HEADER, twice]), twice.toUpperCase()];
      const again = await read(csv([names, ROW]));
      deepEqual(
        again.fileProblems.map(({ code }) => code),
        ["column_twice"],
      );
      notEqual(again.refused, false);
    },
    SHARE,
  ),
];
