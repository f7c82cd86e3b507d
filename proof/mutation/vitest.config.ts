import { join } from "node:path";
import { defineConfig } from "vitest/config";

const tests = (process.env["MUTATE_TESTS"] ?? "").split(",");
const ofThreads = "test/intake/workbook/sheet-reader.test.ts";

/**
 * The tests of one hunt, named by proof/mutation/main.ts. They run in one thread, because starting
 * another costs more than the tests.
 */
export default defineConfig({
  test: {
    include: tests,
    env: { LAW_CASES: "15", CSV_FILES: "100", SHEET_ROWS: "2000" },
    setupFiles: tests.includes(ofThreads) ? [] : [join(import.meta.dirname, "in-one-thread.ts")],
    pool: "threads",
    isolate: false,
    testTimeout: 20_000,
  },
});
