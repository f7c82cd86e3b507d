import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What takes minutes begins first, so that no core waits for it at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) =>
      /kills|chaos.smoke|outages|batches|faults.test|restore|crash-matrix/.test(moduleId)
        ? 0
        : moduleId.includes("journeys")
          ? 1
          : 2;
    return files.toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    pool: "forks",
    // A process runs file after file: what they import is read and compiled once, not two hundred times.
    isolate: false,
    globalSetup: ["./test/support/shared-server.ts"],
    setupFiles: ["./test/support/each-file.ts"],
    // The tests start servers of their own and wait for them: on two cores a third file works meanwhile.
    maxWorkers: 3,
    // Long enough for a journey that kills and restarts PostgreSQL on a busy machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // A test that passes at the second try hides the race it found.
    retry: 0,
    sequence: { sequencer: LongestFirst },
    allowOnly: false,
    reporters: ["default", "./test/support/reporter.ts"],
  },
});
