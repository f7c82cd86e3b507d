import type { z } from "zod";
import { parseObject } from "#gateway/wire/json.ts";
import { decode } from "#gateway/wire/layout.ts";
import { SEALED_BODY } from "#gateway/wire/messages.ts";
import type { Escaping, Endpoint } from "#gateway/wire/endpoints.ts";
import { err, ok, type Result } from "#base/result.ts";
import { parseJson } from "./json.ts";
import type { SimulatedMerchant } from "./merchants.ts";

/** Encrypted text of a JSON body. Null: there is none. */
export function keyOfJson(body: string): string | null {
  const { key } = Object(parseJson(body)) as { readonly key?: unknown };
  const parsed = SEALED_BODY.safeParse({ key });
  return parsed.success ? parsed.data.key : null;
}

/**
 * Decrypted fields of a request, or the error code of an unreadable one. Blank and `null` fields
 * count as absent.
 */
export function openRequest<T>(
  key: string | null,
  merchant: SimulatedMerchant | null,
  operation: Endpoint,
  schema: z.ZodType<T>,
  parsing: Parsing,
): Result<T, string> {
  if (!merchant) return err("115");
  if (key === null) return err("118");
  const opened = merchant.cipher.open(key);
  // A text encrypted with another key looks the same as a damaged one. The documents assign 115 to
  // the key.
  if (!opened.ok) return err("115");

  const read = readFields(opened.value, operation, parsing);
  if (read === null) return err("118");
  const fields = schema.safeParse(read);
  return fields.success ? ok(fields.data) : err("109");
}

/** How requests are parsed. */
export interface Parsing {
  readonly escaping: Escaping;
  readonly dialect: Dialect;
}

/** `clients` also accepts what real clients leave out or escape (docs/start/simulator.md). */
export const DIALECTS = ["specification", "clients"] as const;
export type Dialect = (typeof DIALECTS)[number];

/**
 * Fields of this endpoint in a decrypted text. Null: unreadable. A field that the endpoint does not
 * know is ignored, whatever its value: real clients send several.
 */
function readFields(
  text: string,
  operation: Endpoint,
  parsing: Parsing,
): Readonly<Record<string, string>> | null {
  const fields = text.startsWith("{") ? parseObject(text) : pairsOf(text, operation, parsing);
  if (fields === null) return null;
  const own: Record<string, string> = {};
  for (const name of operation.fields) {
    const value = Object.hasOwn(fields, name) ? fields[name] : null;
    if (value === null || value === "" || value === "null") continue;
    if (typeof value !== "string") return null;
    own[name] = value;
  }
  return own;
}

function pairsOf(
  text: string,
  operation: Endpoint,
  { escaping, dialect }: Parsing,
): Readonly<Record<string, unknown>> | null {
  const read = decode(text, operation, { layout: "name=value", escaping });
  if (!read.ok) return null;
  if (dialect === "specification") return Object.fromEntries(read.value);
  // Newer clients escape most values and leave some unescaped.
  return Object.fromEntries(
    [...read.value].map(([name, value]) => [
      name,
      operation.verbatim.includes(name) ? value : unescaped(value),
    ]),
  );
}

/** Whether this is the merchant's API key, as issued or escaped once or twice on its way. */
export function isKeyOf({ apiKey }: SimulatedMerchant, given: string): boolean {
  const once = unescaped(given);
  return [given, once, unescaped(once)].includes(apiKey);
}

function unescaped(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
