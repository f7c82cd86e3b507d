import { expect, test } from "vitest";
import { withoutFormulaMark } from "#batch/formula.ts";
import { problem } from "#batch/problems.ts";
import { rejectRecords } from "#batch/rejects.ts";

const missing = problem("nul_character", { line: 7, column: "user_id" });
const repeated = problem("row_repeated", { line: 7 }, { first: 2 });

test("a rejected row goes out as it stood, with its line, what is wrong, and how to repair it", () => {
  const file = rejectRecords(["user_id", "=x"]);
  expect(file.header).toEqual(["user_id", "'=x", "line", "reason", "hint"]);
  expect(
    file.of({ line: 7, cells: ["U-1", "+1"], problems: [missing, repeated, missing] }),
  ).toEqual([
    "U-1",
    "'+1",
    "7",
    "user_id: nul_character; row_repeated; user_id: nul_character",
    `${missing.message} ${missing.repair} ${repeated.message} ${repeated.repair}`,
  ]);
});

test("an apostrophe of the row's own is kept when the row comes back", () => {
  const cells = ["'@x", "'-Asha", "'007", "@y"];
  const record = rejectRecords(["a", "b", "c", "d"]).of({ line: 7, cells, problems: [missing] });
  expect(record.slice(0, 4).map(withoutFormulaMark)).toEqual(cells);
});

test("a row that is too long stays so, and one that is too short has no empty cells", () => {
  const { of } = rejectRecords(["user_id", "line", "amount"]);
  const long = { line: 7, cells: ["U-1", "3", "1", "500.00", "=x"], problems: [] };
  expect(of(long)).toEqual(["U-1", "1", "7", "", "", "500.00", "'=x"]);
  expect(of({ line: 8, cells: ["U-1"], problems: [] })).toEqual(["U-1", "\ufffd", "8", "", ""]);
});

test("what stands for a NUL goes out as a letter that was lost", () => {
  const { of } = rejectRecords(["user_id", "account_name"]);
  const cells = ["\u2400", "A\u2400\u2400b"];
  expect(of({ line: 7, cells, problems: [missing] }).slice(0, 2)).toEqual([
    "\ufffd",
    "A\ufffd\ufffdb",
  ]);
  expect(of({ line: 7, cells, problems: [repeated] }).slice(0, 2)).toEqual(cells);
});

test("one that goes out again has these columns once", () => {
  const file = rejectRecords(["line", "user_id", "reason", "hint"]);
  expect(file.header).toEqual(["user_id", "line", "reason", "hint"]);
  expect(file.of({ line: 7, cells: ["3", "U-1", "old", "old"], problems: [repeated] })).toEqual([
    "U-1",
    "7",
    "row_repeated",
    `${repeated.message} ${repeated.repair}`,
  ]);
});

test("letters that were guessed go out as lost, so that they are paid by nobody who has not written them anew", () => {
  const doubtful = problem("encoding_doubtful", { line: 7, column: "account_name" });
  const file = rejectRecords(["User ID", "Account Name", "note"]);
  const cells = ["\u00e9", "\u00ca\u00c1 (x)", "caf\u00e9"];
  expect(file.of({ line: 7, cells, problems: [doubtful] }).slice(0, 3)).toEqual([
    "\u00e9",
    "\ufffd\ufffd (x)",
    "caf\u00e9",
  ]);
});

test("where the whole row is in doubt no letter goes out, in whatever column", () => {
  const doubtful = problem("encoding_doubtful", { line: 7 }, { column: "The row" });
  const { of } = rejectRecords(["account_name", "note"]);
  const cells = ["\u00ca\u2400", "caf\u00e9", "\u00c1"];
  expect(of({ line: 7, cells, problems: [doubtful, missing] })).toEqual([
    "\ufffd\ufffd",
    "caf\ufffd",
    "7",
    "encoding_doubtful; user_id: nul_character",
    `${doubtful.message} ${doubtful.repair} ${missing.message} ${missing.repair}`,
    "\ufffd",
  ]);
});
