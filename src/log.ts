import { pino, type Logger } from "pino";

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

export function createLog(level: string): Log {
  const stderr = pino.destination({ fd: 2, sync: true, maxLength: KEPT_BYTES_MAX });
  // Nobody can be told that the log cannot be written, and it is no reason to stop paying (F28).
  stderr.on("error", () => {});
  return pino(
    {
      level,
      base: { pid: process.pid },
      serializers: { err: errorText },
      redact: { paths: REDACT, censor: "[redacted]" },
    },
    stderr,
  );
}
