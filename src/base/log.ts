import { levels, pino, type Logger, type LoggerOptions } from "pino";
import { systemClock } from "#base/clock.ts";
import { currentSpanIds } from "#base/telemetry/spans.ts";

export type Log = Logger;

/**
 * Logs go to stderr as JSON lines; stdout is for data. Logged fields are chosen individually (ids,
 * codes, states, counts). This list is a second safeguard against a field that is logged by
 * mistake.
 */
const REDACT = [
  "bank_account_number",
  "account_name",
  "address",
  "phone_number",
  "ifsc_code",
  "user_id",
  "details",
  "api_key",
  "api_secret",
  "key",
].flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);

/** Returns the message of an error. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/**
 * Logs only the message of an error, never its other properties: PostgreSQL's `detail` contains the
 * values of a row.
 */
const errorText = (error: unknown): unknown =>
  error instanceof Error
    ? {
        type: error.name,
        message: error.message,
        stack: error.stack,
        ...("code" in error ? { code: error.code } : {}),
      }
    : error;

/**
 * Maximum bytes buffered while the disk is full. They are written once there is space; the rest is
 * dropped.
 */
const BUFFERED_BYTES_MAX = 1 << 20;

/**
 * A callback that none of our keys decrypts, or that contains something else. Anybody can send any
 * number of these.
 */
export const UNREAD_CALLBACK = "received an unreadable callback";
/**
 * Warnings that may occur many times per second: while database or queue are unavailable, or
 * because outsiders send arbitrary requests.
 */
const FREQUENT = new Set<unknown>([
  "queue",
  "sweep failed, retrying",
  "tick failed, retrying",
  "result files not written, retrying",
  "status queries of the frozen ledger failed, retrying",
  "notifications failed, retrying",
  "failed to store a callback",
  "failed to respond to a request",
  "telemetry not exported",
  UNREAD_CALLBACK,
]);
/**
 * Interval in milliseconds at which the same warning is logged once. The next one states how often
 * it occurred in between.
 */
const REPEATED_MS = 60_000;
const DIFFERENT_MAX = 1_000;

function limitRepeatedWarnings(): NonNullable<LoggerOptions["hooks"]> {
  const told = new Map<string, { readonly atMs: number; more: number }>();
  return {
    logMethod(args: unknown[], tell: (...args: unknown[]) => void, level) {
      if (level !== levels.values["warn"] || !FREQUENT.has(args.at(-1)))
        return tell.apply(this, args);
      const nowMs = systemClock.monotonicMs();
      const words = JSON.stringify(args, (_name, value: unknown) =>
        value instanceof Error ? value.message : value,
      );
      const before = told.get(words);
      if (before && nowMs - before.atMs < REPEATED_MS) {
        before.more += 1;
        return;
      }
      if (told.size >= DIFFERENT_MAX) told.clear();
      told.set(words, { atMs: nowMs, more: 0 });
      const [fields, ...rest] = args;
      const isRepeated = before !== undefined && before.more > 0 && typeof fields === "object";
      tell.apply(this, isRepeated ? [{ ...fields, repeated: before.more }, ...rest] : args);
    },
  };
}

/** Creates the JSON log on stderr. */
export function createLog(level: string): Log {
  const stderr = pino.destination({ fd: 2, sync: true, maxLength: BUFFERED_BYTES_MAX });
  // A log that cannot be written cannot be reported, and is no reason to stop paying (F28).
  stderr.on("error", () => {});
  return pino(
    {
      level,
      base: { pid: process.pid },
      mixin: currentSpanIds,
      serializers: { err: errorText },
      hooks: limitRepeatedWarnings(),
      redact: { paths: REDACT, censor: "[redacted]" },
    },
    stderr,
  );
}
