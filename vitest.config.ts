import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    pool: "forks",
    // The tests start servers of their own: on a machine of two cores more files at once only wait.
    maxWorkers: 2,
    // Long enough for a journey that kills and restarts PostgreSQL on a busy machine.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // A test that passes at the second try hides the race it found.
    retry: 0,
    allowOnly: false,
    reporters: ["default", "./test/support/reporter.ts"],
  },
});
