import { vi } from "vitest";
import type { SheetTask } from "#batch/sheet-reader.ts";

/**
 * Stryker activates mutants only in the thread of the tests, so a workbook is read in that thread.
 */
vi.doMock("#batch/sheet-reader.ts", async () => {
  const { sheetOf } = await import("#batch/sheet.ts");
  return {
    sheetInThread: ({ file, columnsMax }: SheetTask) =>
      sheetOf(Buffer.from(file.buffer), columnsMax),
  };
});
