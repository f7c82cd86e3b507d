import { existsSync, readFileSync } from "node:fs";
import type { Sabotage } from "./sabotage.ts";

/** Result of one build. */
export interface Caught extends Pick<Sabotage, "name" | "breaks" | "caughtBy"> {
  readonly checks: readonly string[];
  readonly what: string | null;
  /** Number of runs until it was caught, one per seed. Null: not caught. */
  readonly runs: readonly (number | null)[];
}

/** Reads an earlier report. A missing file is an empty report. */
export const readReport = (file: string): readonly Caught[] =>
  existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Caught[]) : [];

/**
 * Merges new lines into an earlier report, in the order of the names. Lines of builds that were not
 * run again stay; lines of deleted mistakes are removed.
 */
export function merged(
  earlier: readonly Caught[],
  caught: readonly Caught[],
  names: readonly string[],
): readonly Caught[] {
  const lines = new Map([...earlier, ...caught].map((line) => [line.name, line]));
  return names.flatMap((name) => lines.get(name) ?? []);
}
