import { vi } from "vitest";
import type { SheetTask } from "#batch/sheet-reader.ts";

/** Stryker switches mutants on in the thread of the tests alone: a workbook is read in that one here. */
vi.doMock("#batch/sheet-reader.ts", async () => {
  const { sheetOf } = await import("#batch/sheet.ts");
  return {
    sheetInThread: ({ file, columnsMax }: SheetTask) =>
      sheetOf(Buffer.from(file.buffer), columnsMax),
  };
});
