import { readFileSync } from "node:fs";

/** An event as the consumer stored it. */
export interface StoredEvent {
  readonly number: number;
  /** Milliseconds between the beginning of its transaction and its arrival. */
  readonly lagMs: number;
  readonly code: string;
  readonly state: string;
}

/** Reads the complete lines of a consumer's file, and their length in bytes. */
export function readStored(file: string): {
  readonly events: readonly StoredEvent[];
  readonly bytes: number;
} {
  const text = readFileSync(file, "latin1");
  const complete = text.slice(0, text.lastIndexOf("\n") + 1);
  const events = complete
    .split("\n")
    .slice(0, -1)
    .map((line) => {
      const [number, lagMs, code = "", state = ""] = line.split(" ");
      return { number: Number(number), lagMs: Number(lagMs), code, state };
    });
  return { events, bytes: complete.length };
}
