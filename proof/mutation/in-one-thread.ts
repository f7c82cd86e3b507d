import { vi } from "vitest";
import type { SheetTask } from "#intake/workbook/sheet-reader.ts";

/**
 * Stryker activates mutants only in the thread of the tests, so a workbook is read in that thread.
 */
vi.doMock("#intake/workbook/sheet-reader.ts", async () => {
  const { sheetOf } = await import("#intake/workbook/sheet.ts");
  return {
    sheetInThread: ({ file, columnsMax }: SheetTask) =>
      sheetOf(Buffer.from(file.buffer), columnsMax),
  };
});
