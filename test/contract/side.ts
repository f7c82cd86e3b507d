import { readFileSync } from "node:fs";
import { makeKeyring, merchantOf, parseMerchants } from "#gateway/wire/keyring.ts";
import { bodyOf, type EndpointName, ENDPOINTS, pathOf } from "#gateway/wire/endpoints.ts";
import { DEMO_MERCHANTS } from "#simulator/demo-merchants.ts";
import { startSimulator } from "../support/servers/simulator.ts";

export type Fields = Readonly<Record<string, string | undefined>>;

const { CONTRACT_GATEWAY_URL: url, CONTRACT_MERCHANTS_FILE: file } = process.env;
const staged = file ? parseMerchants(JSON.parse(readFileSync(file, "utf8"))) : null;
if (staged?.ok === false) throw new Error(staged.error);
if (Boolean(url) !== Boolean(file)) throw new Error("set both variables of the contract, or none");

/**
 * The gateway's side of the contract: the simulator, or a staging gateway set by two variables
 * (docs/reference/gateway.md section 16).
 */
export async function openSide(): Promise<{ url: string; stop: () => Promise<unknown> }> {
  if (url) return { url, stop: async () => {} };
  return startSimulator();
}

/** Known before any server starts, so that tests can be listed by currency. */
export const keyring = makeKeyring(staged?.value ?? DEMO_MERCHANTS.map(merchantOf));

export const merchantFor = (currency: string) => {
  const merchant = keyring.forCurrency(currency);
  if (!merchant) throw new Error(`no merchant for ${currency}`);
  return merchant;
};

export const newCode = (): string => `CT${Date.now()}${Math.random().toString(36).slice(2, 10)}`;
export const stamp = (offsetSeconds = 0): string =>
  String(Math.floor(Date.now() / 1000) + offsetSeconds);

/** Pairs joined by &, encrypted for the merchant of a currency: the value of `key`. */
export function sealed(currency: string, fields: Fields): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const plaintext = given.map(([name, value]) => `${name}=${value}`).join("&");
  return keyring.cipherOf(merchantFor(currency)).seal(plaintext);
}

export interface Answered {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** One request as in the specification: a POST (or GET for the balance) with only `key`. */
export async function post(
  base: string,
  name: EndpointName,
  currency: string,
  fields: Fields,
): Promise<Answered> {
  const operation = ENDPOINTS[name];
  const address = base + pathOf(operation, merchantFor(currency).merchantCode);
  const body = bodyOf(operation, sealed(currency, fields));
  const { contentType } = operation;
  const response =
    contentType === null
      ? await fetch(`${address}?${body}`)
      : await fetch(address, { method: "POST", headers: { "content-type": contentType }, body });
  return { status: response.status, body: (await response.json()) as Answered["body"] };
}
