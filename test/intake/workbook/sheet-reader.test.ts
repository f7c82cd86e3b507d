/** Workbooks are read in a separate thread, including large ones and ones beyond its limits. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import writeWorkbook from "write-excel-file/node";
import { expect, test } from "vitest";
import { openFile } from "#intake/file-reader.ts";
import { DEFAULT_ROW_SETTINGS } from "#intake/row-settings.ts";
import { THREAD_LIMITS } from "#intake/workbook/sheet-reader.ts";
import { openWorkbook } from "#intake/xlsx-reader.ts";
import { inChunks, readFile } from "../../support/samples.ts";

const HEADER = ["user_id", "currency_code", "transaction_amount", "account_name"];
const ROWS = 20_000;

const bookOf = (rows: number): Promise<Buffer> =>
  writeWorkbook([
    HEADER,
    ...Array.from({ length: rows }, (_, at) => [`U-${at}`, "INR", `${at + 1}`, "Asha Rao"]),
  ]).toBuffer();
const large = await bookOf(ROWS);
const small = await bookOf(1);
const read = (book: Buffer) => readFile(inChunks(book, 65_536), DEFAULT_ROW_SETTINGS);

test("does not block other work while it reads a large workbook", async () => {
  // Load the imports before measuring.
  await read(small);
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const began = performance.now();
  delay.enable();
  const opening = await openFile(inChunks(large, 65_536), DEFAULT_ROW_SETTINGS);
  delay.disable();
  const tookMs = performance.now() - began;
  expect(opening.ok).toBe(true);
  // On the calling thread, the longest pause would be most of the reading time.
  expect(delay.max / 1e6).toBeLessThan(tookMs / 4);
});

test("returns the rows of a large workbook in order, to the last one", async () => {
  const { verdicts } = await read(large);
  expect(verdicts.map(({ line }) => line)).toEqual(Array.from({ length: ROWS }, (_, at) => at + 2));
});

test.each([
  ["memory", { ...THREAD_LIMITS, memoryMb: 8 }, "more memory than a workbook may"],
  ["time", { ...THREAD_LIMITS, timeMs: 1 }, "longer than 0.001 seconds"],
  ["time of a processor", { ...THREAD_LIMITS, cpuMs: 1 }, "longer than 0.001 seconds"],
])(
  "F86 refuses a workbook that uses too much %s with a message, and reads the next one",
  async (_, limits, why) => {
    const opening = await openWorkbook(inChunks(large, 65_536), DEFAULT_ROW_SETTINGS, {}, limits);
    expect(opening).toMatchObject({
      ok: false,
      error: [{ code: "workbook_broken", message: expect.stringContaining(why) }],
    });
    expect((await read(small)).verdicts).toMatchObject([{ line: 2 }]);
  },
);
