import { existsSync, readFileSync } from "node:fs";
import type { Sabotage } from "./sabotage.ts";

/** What became of one build. */
export interface Caught extends Pick<Sabotage, "name" | "breaks" | "caughtBy"> {
  readonly checks: readonly string[];
  readonly what: string | null;
  /** Runs until it was found, one number a seed; null: not found. */
  readonly runs: readonly (number | null)[];
}

export const readReport = (file: string): readonly Caught[] =>
  existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Caught[]) : [];

/**
 * Puts new lines into an earlier report, in the order of the names. The lines of builds that were not run again stay;
 * those of mistakes that are no longer made go.
 */
export function merged(
  earlier: readonly Caught[],
  caught: readonly Caught[],
  names: readonly string[],
): readonly Caught[] {
  const lines = new Map([...earlier, ...caught].map((line) => [line.name, line]));
  return names.flatMap((name) => lines.get(name) ?? []);
}
