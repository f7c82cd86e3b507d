import { DURATIONS } from "#base/telemetry/histograms.ts";

/** The first table that a statement names, in this schema or without one. */
const TABLE = /\b(?:from|into|update)\s+(?:only\s+)?"?(?:payrun"?\."?)?([a-z_]+)/;
const COMMAND = /^\s*([a-z]+)/;

/** Maximum number of statement texts whose names are remembered. */
const NAMES_MAX = 5_000;
const names = new Map<string, string>();

/** A statement that ended, as Kysely reports it. */
interface EndedStatement {
  readonly level: "query" | "error";
  readonly query: { readonly sql: string };
  readonly queryDurationMillis: number;
}

/** Counts a statement and its duration, by command and table. */
export function recordStatement({ level, query, queryDurationMillis }: EndedStatement): void {
  const result = level === "error" ? "error" : "ok";
  DURATIONS.statement.record(queryDurationMillis / 1_000, nameOf(query.sql), result);
}

/**
 * Returns a name for a statement, such as `update payouts`. It contains no other part of the text.
 *
 * @example
 * ```ts
 * import { statementName } from "#base/telemetry/statement-durations.ts";
 *
 * console.log(statementName("select state from payouts where id = $1")); // → select payouts
 * ```
 */
export function statementName(text: string): string {
  const lower = text.toLowerCase();
  const command = COMMAND.exec(lower)?.[1] ?? "other";
  const table = TABLE.exec(lower)?.[1];
  return table === undefined ? command : `${command} ${table}`;
}

function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (names.size >= NAMES_MAX) names.clear();
  const name = statementName(text);
  names.set(text, name);
  return name;
}
