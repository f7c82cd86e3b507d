import { expect, test } from "vitest";
import { mergesOf } from "#intake/workbook/merged-cells.ts";

const sheet = (...refs: readonly string[]) =>
  `<worksheet><sheetData/><mergeCells>${refs.map((ref) => `<mergeCell ref="${ref}"/>`).join("")}</mergeCells></worksheet>`;
const covered = (refs: readonly string[], columnsMax = 200) => {
  const at = mergesOf(sheet(...refs), columnsMax);
  return [1, 2, 3, 4].map((line) =>
    at(line).map(({ place, by }) => `${place} by ${by.line}/${by.place}`),
  );
};

test.each([
  [[], [[], [], [], []]],
  [["C2:C4"], [[], [], ["2 by 2/2"], ["2 by 2/2"]]],
  [["B1:D1"], [["2 by 1/1", "3 by 1/1"], [], [], []]],
  [["A2:B3"], [[], ["1 by 2/0"], ["0 by 2/0", "1 by 2/0"], []]],
  [
    ["B3:B4", "A1:A2"],
    [[], ["0 by 1/0"], [], ["1 by 3/1"]],
  ],
  [
    ["A2", "x", "A9:A10", "xA1:A2", "A1:A2x", "$A$1:$A$2", "B1:A1", "A:B"],
    [[], [], [], []],
  ],
  [["AB3:AC3"], [[], [], ["28 by 3/27"], []]],
  [["A3:A1048576"], [[], [], [], ["0 by 3/0"]]],
])("finds the cells merged under %j", (refs, lines) => {
  expect(covered(refs)).toEqual(lines);
});

test("looks only as far as columns are read", () => {
  expect(covered(["B1:XFD2", "C3:D4"], 2)).toEqual([[], ["1 by 1/1"], [], []]);
});

test("skips lines that were not requested", () => {
  const at = mergesOf(sheet("A1:A2", "B2:B5", "A10:A11"), 200);
  expect(at(4)).toMatchObject([{ place: 1 }]);
  expect(at(11)).toMatchObject([{ place: 0 }]);
});

test("rejects overlapping areas, which no spreadsheet writes", () => {
  expect(() => covered(["A1:A4", "A1:B4"], 2)).not.toThrow();
  expect(() => covered(["A1:A4", "A1:B4", "A2:B2"], 2)).toThrow("merged cells overlap");
  expect(covered(["C1:C4", "D1:D4", "E1:E4"], 2).flat()).toEqual([]);
});
