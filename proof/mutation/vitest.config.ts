import { defineConfig } from "vitest/config";

/** The fast tests of one folder: what hunts mutants runs thousands of times. */
const folder = process.env["MUTATE_FOLDER"] ?? "{money,payout,batch,gateway}";
const more = {
  payout: ["test/docs/lifecycle.test.ts"],
  batch: ["test/docs/lifecycle.test.ts", "test/csv/*.test.ts"],
};

export default defineConfig({
  test: {
    include: [
      `test/${folder}/**/*.test.ts`,
      `test/laws/${folder}.test.ts`,
      ...(more[folder as keyof typeof more] ?? []),
    ],
    exclude: ["test/gateway/client.test.ts"],
    env: { LAW_CASES: "15", CSV_FILES: "100" },
    pool: "threads",
    isolate: false,
    testTimeout: 20_000,
  },
});
