import { createInterface } from "node:readline/promises";

/** Whether there is somebody to ask. */
export const hasTerminal = (): boolean =>
  process.stdin.isTTY === true && process.stderr.isTTY === true;

/** Asks on the terminal. Returns the answer without the spaces around it. */
export async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await terminal.question(question)).trim();
  } finally {
    terminal.close();
  }
}
