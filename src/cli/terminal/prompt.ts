import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";

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

/** Asks for a secret on the terminal, which does not show what is typed. */
export async function askSecret(question: string): Promise<string> {
  process.stderr.write(question);
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output, terminal: true });
  try {
    return (await terminal.question("")).trim();
  } finally {
    terminal.close();
    process.stderr.write("\n");
  }
}
