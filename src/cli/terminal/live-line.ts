const isTerminal = (): boolean => process.stderr.isTTY === true;

/** Overwrites the last line on a terminal. False: there is no terminal. */
export function showLine(text: string): boolean {
  if (!isTerminal()) return false;
  process.stderr.write(`\r\u001b[K${text.slice(0, (process.stderr.columns || 80) - 1)}`);
  return true;
}

/** Clears the progress line, if stderr is a terminal. */
export function clearLine(): void {
  if (isTerminal()) process.stderr.write("\r\u001b[K");
}
