import type { MerchantEntry } from "#gateway/wire/messages.ts";
import { type GatewayCipher, gatewayCipherOf } from "./cipher.ts";

/** A request as the gateway reads it: its purpose and its fields. */
export interface Message {
  readonly kind: "payout" | "status" | "unreadable";
  readonly merchant: string;
  readonly code: string;
  readonly fields: ReadonlyMap<string, string>;
}

export interface SimMerchant {
  readonly entry: MerchantEntry;
  readonly cipher: GatewayCipher;
}

/** Indexes the merchants by their code, each with its cipher. */
export const merchantsOf = (entries: readonly MerchantEntry[]): ReadonlyMap<string, SimMerchant> =>
  new Map(
    entries.map((entry) => [
      entry.merchant_code,
      { entry, cipher: gatewayCipherOf(entry.api_key, entry.api_secret) },
    ]),
  );

const PATH = /\/api\/v1\/(?:payout\/([^/]+)|([^/]+)\/transactions\/status)$/;
const UNREADABLE: Message = { kind: "unreadable", merchant: "", code: "", fields: new Map() };

export type Reader = (url: string, contentType: string, body: string) => Message;

/** Reads requests. A status query is repeated with the same bytes, which are decrypted once. */
export function readerOf(
  merchants: ReadonlyMap<string, SimMerchant>,
  escaping: "none" | "percent",
): Reader {
  const questions = new Map<string, Message>();
  return (url, contentType, body) => {
    const read = () => readMessage(merchants, url, contentType, body, escaping);
    if (!url.endsWith("/status")) return read();
    const bytes = `${url} ${contentType} ${body}`;
    const message = questions.get(bytes) ?? read();
    questions.set(bytes, message);
    return message;
  };
}

/** Parses the bytes of a request as docs/reference/gateway.md describes them, in either layout. */
function readMessage(
  merchants: ReadonlyMap<string, SimMerchant>,
  url: string,
  contentType: string,
  body: string,
  escaping: "none" | "percent",
): Message {
  const [, payoutOf, statusOf] = PATH.exec(url) ?? [];
  const merchant = payoutOf ?? statusOf ?? "";
  const lock = merchants.get(merchant)?.cipher;
  const sealed = contentType.endsWith("json") ? keyInJson(body) : keyInForm(body);
  const text = sealed === null ? null : (lock?.open(sealed) ?? null);
  const fields =
    text === null ? null : text.startsWith("{") ? jsonFields(text) : pairs(text, escaping);
  if (!fields) return { ...UNREADABLE, merchant };
  const kind = payoutOf === undefined ? "status" : "payout";
  return { kind, merchant, code: fields.get("transaction_code") ?? "", fields };
}

function keyInJson(body: string): string | null {
  const { key } = JSON.parse(body) as { key?: unknown };
  return typeof key === "string" ? decodeURIComponent(key) : null;
}

function keyInForm(body: string): string | null {
  if (!body.startsWith("key=")) return null;
  const key = decodeURIComponent(body.slice("key=".length));
  return key.includes("%") ? decodeURIComponent(key) : key;
}

/**
 * The last one wins, as in most form parsers. The API key stays as issued, including its escapes.
 */
function pairs(text: string, escaping: "none" | "percent"): Map<string, string> {
  const fields = new Map<string, string>();
  for (const pair of text.split("&")) {
    const at = pair.indexOf("=");
    const name = pair.slice(0, at);
    const value = pair.slice(at + 1);
    const isEscaped = escaping === "percent" && name !== "merchant_api_key";
    fields.set(name, isEscaped ? decodeURIComponent(value) : value);
  }
  return fields;
}

/** Numbers as written: an amount must not pass through a float here either. */
function jsonFields(text: string): Map<string, string> {
  const quoted = text.replaceAll(/:(-?[0-9][0-9.]*)/g, ':"$1"');
  return new Map(Object.entries(JSON.parse(quoted) as Record<string, string>));
}
