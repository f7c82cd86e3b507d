const last: (() => void)[] = [];
process.once("exit", () => {
  for (const act of last) act();
});

/** For what must not outlive the tests, also when one of them throws: servers, folders. Synchronous. */
export function atExit(act: () => void): void {
  last.push(act);
}
