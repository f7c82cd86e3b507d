import { createInterface } from "node:readline/promises";

/** Returns whether a person can be asked on a terminal. */
export const hasTerminal = (): boolean =>
  process.stdin.isTTY === true && process.stderr.isTTY === true;

/** Asks on the terminal. Returns the answer without surrounding spaces. */
export async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await terminal.question(question)).trim();
  } finally {
    terminal.close();
  }
}
