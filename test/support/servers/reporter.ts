import type { Reporter, TestCase, TestModule } from "vitest/node";

/** Time in milliseconds that Vitest may take to end its workers after all output. */
const END_MS = 20_000;

/**
 * Ends the output with a line such as "123 passed, 0 failed" for scripts, and makes a run without a
 * test, or with a skipped one, a failed run. Reports each failure at once, so an interrupted run
 * has reported it too.
 */
export default class ClosingLine implements Reporter {
  onTestCaseResult(test: TestCase): void {
    for (const { message, stacks } of test.result().errors ?? []) {
      const { file, line } = stacks?.at(0) ?? { file: test.module.moduleId, line: 0 };
      process.stdout.write(`\nFailed: ${test.fullName}\n${file}:${line}\n${message}\n\n`);
    }
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = { passed: 0, failed: errors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) counts[test.result().state] += 1;
      // A file that could not be read, or whose hooks threw, has no failed test of its own.
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
    // A server left running by a test holds the pipes of its worker, and Vitest would wait forever.
    setTimeout(() => process.exit(), END_MS).unref();
  }
}
