import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { say } from "#cli/terminal/output.ts";

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

/**
 * Returns whether the preview of an action is to be applied, after asking on a terminal.
 *
 * @param things the plural of the objects, such as "payouts".
 * @param later printed where nobody can be asked: how to apply the action.
 */
export async function mayApply(
  {
    count,
    things,
    later,
  }: { readonly count: number; readonly things: string; readonly later: string },
  { yes, json }: { readonly yes?: boolean; readonly json?: boolean },
): Promise<boolean> {
  if (count === 0) {
    if (!json) say(`No ${things} qualify. No changes were made.`);
    return false;
  }
  if (yes) return true;
  if (json) return false;
  if (!hasTerminal()) {
    say(`No changes were made. ${later}`);
    return false;
  }
  if (/^y(es)?$/i.test(await ask(`Apply this to ${count} ${things}? [y/N] `))) return true;
  say("No changes were made.");
  return false;
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
