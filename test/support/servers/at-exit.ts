const last: (() => void)[] = [];
process.once("exit", () => {
  for (const act of last) act();
});

/**
 * For servers and folders that must not outlive the tests, even when a test throws. Synchronous.
 */
export function atExit(act: () => void): void {
  last.push(act);
}
