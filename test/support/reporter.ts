import type { Reporter, TestModule } from "vitest/node";

/** How long Vitest may take to end its workers once everything has been said. */
const END_MS = 20_000;

/**
 * Ends the output with a line such as "123 passed, 0 failed", which scripts can read, and sees to it
 * that a run without a test, or with a skipped one, is a failed run.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = { passed: 0, failed: errors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) counts[test.result().state] += 1;
      // A file that could not be read, or whose hooks threw, has no failed test to show for it.
      if (module.errors().length > 0) counts.failed += 1;
      for (const suite of module.children.allSuites()) {
        if (suite.errors().length > 0) counts.failed += 1;
      }
    }

    const notRun = counts.skipped + counts.pending;
    const ok = counts.passed > 0 && counts.failed === 0 && notRun === 0;
    if (!ok) process.exitCode = 1;
    const rest = notRun === 0 ? "" : `${notRun} did not run, which is a failure\n`;
    process.stdout.write(`\n${rest}${counts.passed} passed, ${counts.failed} failed\n`);
    // A server that a test left running holds the pipes of its worker, and Vitest would wait for ever.
    setTimeout(() => process.exit(), END_MS).unref();
  }
}
