import { createHmac } from "node:crypto";
import { lookup as dnsLookup, type LookupAddress, type LookupOptions } from "node:dns";
import { isIP } from "node:net";
import { callbackify } from "node:util";
import { got } from "got";
import { type AbortReason, limitAnswer } from "#base/answer-guard.ts";
import { printable } from "#base/invisible-characters.ts";
import { isPublic } from "#notification/address.ts";

/** The result of one try. `says` is stored in the delivery log. */
export interface DeliveryResult {
  readonly ok: boolean;
  readonly says: string;
}

export interface WebhookOptions {
  /** For tests and closed networks: permits any address, and http. */
  readonly allowPrivate: boolean;
  readonly timeoutMs: number;
  /** Replaces the system's resolver in tests. */
  readonly resolve?: (name: string) => Promise<readonly LookupAddress[]>;
}

const ANSWER_BYTES_MAX = 16 * 1024;
const SAYS_MAX = 200;
const ABORT_TEXTS: Readonly<Record<AbortReason, string>> = {
  too_large: "the response is too long",
  http_101: "HTTP 101",
};

/** Returns why a webhook address may not be called. Null: it may. */
export function whyAddressRefused(
  target: string,
  { allowPrivate }: Pick<WebhookOptions, "allowPrivate">,
): string | null {
  if (!URL.canParse(target)) return "it is not a URL";
  const { protocol, hostname, username, password } = new URL(target);
  if (username !== "" || password !== "") return "the URL must not contain a user name or password";
  if (allowPrivate) return /^https?:$/.test(protocol) ? null : "it must start with https://";
  if (protocol !== "https:") return "it must start with https://";
  const host = hostname.replace(/^\[|\]$/g, "");
  return isIP(host) !== 0 && !isPublic(host) ? `${host} is not a public address` : null;
}

/**
 * Posts one signed document (Standard Webhooks: HMAC-SHA256 over "id.timestamp.body"). The name is
 * resolved once, and the connection goes to the address that was checked, so that changing the
 * name's address in between has no effect. No redirects, no retries.
 */
export async function postWebhook(
  target: string,
  message: {
    readonly id: string;
    readonly atSeconds: number;
    readonly body: string;
    readonly secret: string;
  },
  options: WebhookOptions,
): Promise<DeliveryResult> {
  const refused = whyAddressRefused(target, options);
  if (refused !== null) return { ok: false, says: `not called: ${refused}` };
  const { id, atSeconds, body, secret } = message;
  const request = got.post(target, {
    body,
    headers: {
      "content-type": "application/json",
      "user-agent": "payrun",
      "webhook-id": id,
      "webhook-timestamp": String(atSeconds),
      "webhook-signature": signatureOf(message, secret),
    },
    retry: { limit: 0 },
    followRedirect: false,
    throwHttpErrors: false,
    decompress: false,
    timeout: { request: options.timeoutMs },
    // Typed for three call signatures; Node uses this one.
    dnsLookup: checkedLookup(options) as never,
  });
  const endedFor = limitAnswer(request, ANSWER_BYTES_MAX);
  try {
    const { statusCode, body: answered } = await request;
    const says = [`HTTP ${statusCode}`, answerExcerpt(answered, secret)];
    return {
      ok: statusCode >= 200 && statusCode < 300,
      says: says.filter((part) => part !== "").join(ANSWER_SEPARATOR),
    };
  } catch (error) {
    const ended = endedFor();
    if (ended !== null) return { ok: false, says: ABORT_TEXTS[ended] };
    return {
      ok: false,
      says: String(error instanceof Error ? error.message : error).slice(0, SAYS_MAX),
    };
  }
}

const ANSWER_SEPARATOR = ": ";

/**
 * Returns the beginning of the receiver's response on one line, without the secret or a signature
 * that it may repeat.
 */
function answerExcerpt(answered: string, secret: string): string {
  const short = answered.slice(0, ANSWER_BYTES_MAX);
  const plain = secret === "" ? short : short.replaceAll(secret, REMOVED);
  const safe = plain
    .replaceAll(/whsec_[\w+/=-]+/g, REMOVED)
    .replaceAll(/\bv1,[\w+/=]{20,}/g, REMOVED)
    .replaceAll(/\s+/g, " ")
    .trim();
  return printable(safe.length <= SAYS_MAX ? safe : `${safe.slice(0, SAYS_MAX - 1)}…`);
}

const REMOVED = "[removed]";

/** Separates the HTTP status in the log from the beginning of the response. */
export function splitAnswer(says: string): { readonly status: string; readonly body: string } {
  const [, status, body] = /^(HTTP \d{3})(?:: ([^]*))?$/.exec(says) ?? [];
  return { status: status ?? says, body: body ?? "" };
}

/** Returns "v1," and Base64, as receivers' libraries expect. The secret is "whsec_" and Base64. */
export const signatureOf = (
  {
    id,
    atSeconds,
    body,
  }: { readonly id: string; readonly atSeconds: number; readonly body: string },
  secret: string,
): string =>
  `v1,${createHmac("sha256", Buffer.from(secret.replace(/^whsec_/, ""), "base64"))
    .update(`${id}.${atSeconds}.${body}`)
    .digest("base64")}`;

type LookupCallback = (
  error: Error | null,
  address?: string | readonly LookupAddress[],
  family?: number,
) => void;

const systemLookup = (name: string): Promise<LookupAddress[]> =>
  new Promise((resolve, reject) => {
    dnsLookup(name, { all: true }, (error, addresses) =>
      error ? reject(error) : resolve(addresses),
    );
  });

/**
 * Creates a resolver that refuses private addresses: a name is refused if any of its addresses is
 * private.
 */
function checkedLookup({ allowPrivate, resolve = systemLookup }: WebhookOptions) {
  const checked = callbackify(async (name: string): Promise<readonly LookupAddress[]> => {
    const addresses = await resolve(name);
    const closed = allowPrivate ? undefined : addresses.find(({ address }) => !isPublic(address));
    if (closed) {
      throw new Error(`not called: ${name} does not resolve to a public address`);
    }
    if (addresses.length === 0)
      throw new Error(`not called: ${name} does not resolve to any address`);
    return addresses;
  });
  return (name: string, options: LookupOptions, done: LookupCallback): void =>
    checked(name, (error, addresses) => {
      if (options.all) done(error, addresses);
      else done(error, addresses?.[0]?.address, addresses?.[0]?.family);
    });
}
