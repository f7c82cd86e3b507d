import { expect, test } from "vitest";
import { withoutFormulaMark } from "#intake/text/formula.ts";
import { problem } from "#intake/text/problems.ts";
import { rejectRecords } from "#intake/rejects-file.ts";

const missing = problem("nul_character", { line: 7, column: "user_id" });
const repeated = problem("row_repeated", { line: 7 }, { first: 2 });

test("exports a rejected row as it was, with its line, its problems and how to correct them", () => {
  const file = rejectRecords(["user_id", "=x"]);
  expect(file.header).toEqual(["user_id", "'=x", "line", "reason", "hint"]);
  expect(
    file.of({ line: 7, cells: ["U-1", "+1"], problems: [missing, repeated, missing] }),
  ).toEqual([
    "U-1",
    "'+1",
    "7",
    "user_id: nul_character; row_repeated; user_id: nul_character",
    `${missing.message} ${missing.correction} ${repeated.message} ${repeated.correction}`,
  ]);
});

test("keeps an apostrophe that belongs to the value", () => {
  const cells = ["'@x", "'-Asha", "'007", "@y"];
  const record = rejectRecords(["a", "b", "c", "d"]).of({ line: 7, cells, problems: [missing] });
  expect(record.slice(0, 4).map(withoutFormulaMark)).toEqual(cells);
});

test("keeps a row too long or too short, without adding empty cells", () => {
  const { of } = rejectRecords(["user_id", "line", "amount"]);
  const long = { line: 7, cells: ["U-1", "3", "1", "500.00", "=x"], problems: [] };
  expect(of(long)).toEqual(["U-1", "1", "7", "", "", "500.00", "'=x"]);
  expect(of({ line: 8, cells: ["U-1"], problems: [] })).toEqual(["U-1", "\ufffd", "8", "", ""]);
});

test("exports a NUL as a lost letter", () => {
  const { of } = rejectRecords(["user_id", "account_name"]);
  const cells = ["\u2400", "A\u2400\u2400b"];
  expect(of({ line: 7, cells, problems: [missing] }).slice(0, 2)).toEqual([
    "\ufffd",
    "A\ufffd\ufffdb",
  ]);
  expect(of({ line: 7, cells, problems: [repeated] }).slice(0, 2)).toEqual(cells);
});

test("adds its columns only once when a row is exported again", () => {
  const file = rejectRecords(["line", "user_id", "reason", "hint"]);
  expect(file.header).toEqual(["user_id", "line", "reason", "hint"]);
  expect(file.of({ line: 7, cells: ["3", "U-1", "old", "old"], problems: [repeated] })).toEqual([
    "U-1",
    "7",
    "row_repeated",
    `${repeated.message} ${repeated.correction}`,
  ]);
});

test("exports guessed letters as lost, so no row is paid before someone types them again", () => {
  const doubtful = problem("encoding_doubtful", { line: 7, column: "account_name" });
  const file = rejectRecords(["User ID", "Account Name", "note"]);
  const cells = ["\u00e9", "\u00ca\u00c1 (x)", "caf\u00e9"];
  expect(file.of({ line: 7, cells, problems: [doubtful] }).slice(0, 3)).toEqual([
    "\u00e9",
    "\ufffd\ufffd (x)",
    "caf\u00e9",
  ]);
});

test("exports no letters in any column when the whole row is in doubt", () => {
  const doubtful = problem("encoding_doubtful", { line: 7 }, { column: "The row" });
  const { of } = rejectRecords(["account_name", "note"]);
  const cells = ["\u00ca\u2400", "caf\u00e9", "\u00c1"];
  expect(of({ line: 7, cells, problems: [doubtful, missing] })).toEqual([
    "\ufffd\ufffd",
    "caf\ufffd",
    "7",
    "encoding_doubtful; user_id: nul_character",
    `${doubtful.message} ${doubtful.correction} ${missing.message} ${missing.correction}`,
    "\ufffd",
  ]);
});
