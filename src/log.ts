import { levels, pino, type Logger, type LoggerOptions } from "pino";
import { systemClock } from "#clock.ts";

export type Log = Logger;

/**
 * Logs go to stderr as JSON lines; stdout is data. What is logged is chosen field by field (ids, codes, states,
 * counts); the list below is the second net, for a field that slips in.
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

/** What an error says, in a line. */
export const wordsOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** Of an error its words, never all that hangs on it: PostgreSQL's `detail` holds the values of a row. */
const errorText = (error: unknown): unknown =>
  error instanceof Error
    ? {
        type: error.name,
        message: error.message,
        stack: error.stack,
        ...("code" in error ? { code: error.code } : {}),
      }
    : error;

/** What a full disk cannot take is kept up to this size, and written when there is room; the rest is dropped. */
const KEPT_BYTES_MAX = 1 << 20;

/** A callback that opens with no key of ours, or holds something else than a callback: anybody can send any number. */
export const UNREAD_CALLBACK = "a callback could not be read";
/** Warnings that may come many times a second: while database or queue are away, or because others send what they like. */
const FREQUENT = new Set<unknown>([
  "queue",
  "sweep broke",
  "tick broke",
  "asking broke",
  "notices broke",
  "callback not kept",
  "request not answered",
  UNREAD_CALLBACK,
]);
/** The same of them is told once in so long; the next one tells how often it came meanwhile. */
const REPEATED_MS = 60_000;
const DIFFERENT_MAX = 1_000;

function sparing(): NonNullable<LoggerOptions["hooks"]> {
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

export function createLog(level: string): Log {
  const stderr = pino.destination({ fd: 2, sync: true, maxLength: KEPT_BYTES_MAX });
  // Nobody can be told that the log cannot be written, and it is no reason to stop paying (F28).
  stderr.on("error", () => {});
  return pino(
    {
      level,
      base: { pid: process.pid },
      serializers: { err: errorText },
      hooks: sparing(),
      redact: { paths: REDACT, censor: "[redacted]" },
    },
    stderr,
  );
}
