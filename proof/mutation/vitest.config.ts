import { defineConfig } from "vitest/config";

/** The tests of one hunt, as proof/mutation/main.ts names them; in one thread, because starting one costs more than they do. */
export default defineConfig({
  test: {
    include: (process.env["MUTATE_TESTS"] ?? "").split(","),
    env: { LAW_CASES: "15", CSV_FILES: "100" },
    pool: "threads",
    isolate: false,
    testTimeout: 20_000,
  },
});
