import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";

/** An event as the consumer stored it. */
export interface StoredEvent {
  readonly number: number;
  /** Milliseconds between the beginning of its transaction and its arrival. */
  readonly lagMs: number;
  readonly code: string;
  readonly state: string;
}

/** Actor of the results whose transactions commit late on purpose. */
export const SLOW_ACTOR = "proof, slow";

/** Longer than any line. */
const TAIL_BYTES = 4_096;

/**
 * Reads the number of the last complete line of a consumer's file, 0 if there is none, and the
 * length of the complete lines in bytes.
 */
export function readLast(file: string): { readonly number: number; readonly bytes: number } {
  const opened = openSync(file, "r");
  try {
    const { size } = fstatSync(opened);
    const tail = Buffer.alloc(Math.min(size, TAIL_BYTES));
    readSync(opened, tail, 0, tail.length, size - tail.length);
    const text = tail.toString("latin1");
    const complete = text.slice(0, text.lastIndexOf("\n") + 1);
    const line = complete.trimEnd().split("\n").at(-1) ?? "";
    return {
      number: Number(line.split(" ", 1)[0]),
      bytes: size - (text.length - complete.length),
    };
  } finally {
    closeSync(opened);
  }
}

/** Reads the complete lines of a consumer's file. */
export function readStored(file: string): readonly StoredEvent[] {
  const text = readFileSync(file, "latin1");
  const complete = text.slice(0, text.lastIndexOf("\n") + 1);
  return complete
    .split("\n")
    .slice(0, -1)
    .map((line) => {
      const [number, lagMs, code = "", state = ""] = line.split(" ");
      return { number: Number(number), lagMs: Number(lagMs), code, state };
    });
}
