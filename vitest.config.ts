import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Test files that take minutes start first, so no core waits for them at the end. */
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
    // One process runs many files, so their imports are read and compiled once instead of two
    // hundred times.
    isolate: false,
    // The workers and their servers fill all cores. V8's own threads for collecting garbage would
    // compete with them, and a larger young generation is collected less often.
    execArgv: ["--single-threaded-gc", "--min-semi-space-size=16"],
    globalSetup: ["./test/support/servers/shared-server.ts"],
    setupFiles: ["./test/support/servers/each-file.ts"],
    // The tests often wait for servers, so a third file can work on two cores.
    maxWorkers: 3,
    // Long enough for a test that kills and restarts PostgreSQL on a busy machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // The default of one second is too short for a page of a browser on a busy machine.
    expect: { poll: { timeout: 20_000 } },
    // A test that passes on the second try hides the race it found.
    retry: 0,
    sequence: { sequencer: LongestFirst },
    allowOnly: false,
    reporters: ["default", "./test/support/servers/reporter.ts"],
  },
});
