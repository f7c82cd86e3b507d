import { expect, test } from "vitest";
import { openFile } from "#intake/file-reader.ts";
import { DEFAULT_ROW_SETTINGS } from "#intake/row-settings.ts";
import { inChunks } from "../../support/samples.ts";

const HEADER = "user_id,currency_code,transaction_amount,account_name";
const ROW = "TR-1,TRY,5.00,Ay\u015fe";

/** Reads a file of rejected rows that is uploaded again. */
async function readBack(text: string, isCorrection = true) {
  const opened = await openFile(inChunks(Buffer.from(text)), DEFAULT_ROW_SETTINGS, {
    isCorrection,
  });
  if (!opened.ok) return { problems: opened.error };
  const rows = [];
  for await (const chunk of opened.value.rows) rows.push(...chunk);
  const end = opened.value.end();
  return { rows, notes: opened.value.facts.notes, problems: end.ok ? end.value.notes : end.error };
}

test("returns corrected rows to their original lines and removes the formula marks", async () => {
  const file = `line,${HEADER},reason,hint,other\n 31 ,${ROW},x,y,\n4,'=TR,TRY,6.00,Ay\u015fe,x,y,\n`;
  const { rows, notes, problems } = await readBack(file);
  expect(rows?.map(({ line, cells }) => [line, cells[1]])).toEqual([
    [31, "TR-1"],
    [4, "=TR"],
  ]);
  expect(notes).toMatchObject([{ code: "column_ignored", column: "other" }]);
  expect(problems).toEqual(notes);
});

test("numbers the lines of a first file and reports its unknown columns", async () => {
  const { rows, notes } = await readBack(`line,${HEADER},reason,hint\n31,${ROW},x,y\n`, false);
  expect(rows?.map(({ line }) => line)).toEqual([2]);
  expect(notes?.map(({ column }) => column)).toEqual(["line", "reason", "hint"]);
});

test("does not treat a file without the line column as rejected rows", async () => {
  expect(await readBack(`${HEADER}\n${ROW}\n`)).toMatchObject({
    problems: [{ code: "line_column_missing" }],
  });
  expect((await readBack(`${HEADER},line\n${ROW},999999999\n`)).rows).toMatchObject([
    { line: 999_999_999 },
  ]);
});

test.each(["", "0", "07", "-1", "1.5", "1x", "x1", "1000000000"])(
  "stops at %j, which is not the number of a line",
  async (line) => {
    expect(await readBack(`line,${HEADER}\n2,${ROW}\n${line},${ROW}\n`)).toMatchObject({
      rows: [],
      problems: [{ code: "line_missing", line: 3, column: "line", found: line }],
    });
  },
);
