import type { z } from "zod";
import { decode } from "#gateway/layout.ts";
import { SEALED_BODY } from "#gateway/messages.ts";
import type { Escaping, Operation } from "#gateway/operations.ts";
import { err, ok, type Result } from "#result.ts";
import { parseJson } from "./json.ts";
import type { SimulatedMerchant } from "./merchants.ts";

/** The timestamp may be at most this old, or this far ahead (specification, Limits). */
const PAST_MAX_SECONDS = 3600;
const FUTURE_MAX_SECONDS = 300;

export const isStale = (timestamp: string, nowMs: number): boolean => {
  const ageSeconds = nowMs / 1000 - Number(timestamp);
  return ageSeconds > PAST_MAX_SECONDS || ageSeconds < -FUTURE_MAX_SECONDS;
};

/** The sealed text of a JSON body; null: there is none. */
export function keyOfJson(body: string): string | null {
  const parsed = SEALED_BODY.safeParse(parseJson(body));
  return parsed.success ? parsed.data.key : null;
}

/** The opened fields of a request, or the error code of one that cannot be read. Blank and `null` fields count as absent. */
export function openRequest<T>(
  key: string | null,
  merchant: SimulatedMerchant | null,
  operation: Operation,
  schema: z.ZodType<T>,
  escaping: Escaping,
): Result<T, string> {
  if (!merchant) return err("115");
  if (key === null) return err("118");
  const opened = merchant.cipher.open(key);
  // A text sealed with another key cannot be told from a broken one; the documents have 115 for the key.
  if (!opened.ok) return err("115");

  const layout = opened.value.startsWith("{") ? "json" : "name=value";
  const read = decode(opened.value, operation, { layout, escaping });
  if (!read.ok) return err("118");
  for (const [name, value] of read.value) {
    if (value === "" || value === "null") read.value.delete(name);
  }
  const fields = schema.safeParse(Object.fromEntries(read.value));
  if (fields.success) return ok(fields.data);
  const isUnknownName = fields.error.issues.some(({ code }) => code === "unrecognized_keys");
  return err(isUnknownName ? "118" : "109");
}
