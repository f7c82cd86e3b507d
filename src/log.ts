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

export function createLog(level: string): Log {
  return pino(
    { level, base: { pid: process.pid }, redact: { paths: REDACT, censor: "[redacted]" } },
    pino.destination({ fd: 2, sync: true }),
  );
}
