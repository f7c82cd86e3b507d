/**
 * The baseline for payrun: the loop that a developer would write by hand. csv-parse, the cipher,
 * an HTTP client, 64 concurrent requests, one process. It has no queue and no ledger, and does not
 * remember what it sent. The client is got, as in most such loops, or payrun's own client, undici.
 *
 * Run as: node bench/process/loop.ts FILE URL [--query] [--client got|undici]. With `--query`, it
 * also queries the status of each payout once. Prints payouts per second.
 */
import { createReadStream } from "node:fs";
import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { parseArgs } from "node:util";
import { parse } from "csv-parse";
import { got } from "got";
import { Agent, request } from "undici";
import { Cipher } from "#gateway/wire/cipher.ts";
import { newTransactionCode } from "#base/ids.ts";
import { Secret } from "#base/secret.ts";
import { DEMO_MERCHANTS } from "#simulator/demo-merchants.ts";

const { values, positionals } = parseArgs({
  options: { query: { type: "boolean" }, client: { type: "string", default: "got" } },
  allowPositionals: true,
});
const [file = "", url = ""] = positionals;
const merchant = DEMO_MERCHANTS.find(({ currencies }) => currencies.includes("INR"));
if (!merchant) throw new Error("no demo merchant for INR");

const AT_ONCE = 64;
const cipher = new Cipher(new Secret(merchant.api_key), new Secret(merchant.api_secret));

/** Sends a request and returns the body of its answer. */
type Post = (address: string, contentType: string, body: string) => Promise<string>;

function gotPost(): Post {
  const options = { keepAlive: true, maxSockets: AT_ONCE };
  const client = got.extend({
    agent: { http: new HttpAgent(options), https: new HttpsAgent(options) },
    retry: { limit: 0 },
    throwHttpErrors: false,
    decompress: false,
    followRedirect: false,
    timeout: { request: 30_000 },
  });
  return (address, contentType, body) =>
    client.post(address, { body, headers: { "content-type": contentType } }).text();
}

function undiciPost(): Post {
  const dispatcher = new Agent({ connections: AT_ONCE });
  return async (address, contentType, body) => {
    const headers = { "content-type": contentType };
    return (await request(address, { method: "POST", dispatcher, headers, body })).body.text();
  };
}

const post = values.client === "undici" ? undiciPost() : gotPost();
const endpoint = `${url}/api/v1/payout/${merchant.merchant_code}`;

const statusEndpoint = `${url}/api/v1/${merchant.merchant_code}/transactions/status`;

async function send(row: Readonly<Record<string, string>>): Promise<void> {
  const code = newTransactionCode();
  const plaintext = [
    `merchant_code=${merchant?.merchant_code}`,
    `transaction_code=${code}`,
    `transaction_timestamp=${Math.floor(Date.now() / 1000)}`,
    `payout_code=${merchant?.payout_code}`,
    ...Object.entries(row).map(([name, value]) => `${name}=${value}`),
  ].join("&");
  const key = encodeURIComponent(cipher.seal(plaintext));
  const body = await post(endpoint, "application/json", JSON.stringify({ key }));
  const answer = JSON.parse(body) as { message: string };
  if (answer.message !== "request withdraw successful") throw new Error(answer.message);
  if (values.query) await query(code);
}

async function query(code: string): Promise<void> {
  const plaintext = `merchant_api_key=${merchant?.api_key}&transaction_code=${code}`;
  const key = encodeURIComponent(encodeURIComponent(cipher.seal(plaintext)));
  const body = await post(statusEndpoint, "application/x-www-form-urlencoded", `key=${key}`);
  const { data } = JSON.parse(body) as { data: { transaction_code: string }[] };
  if (data[0]?.transaction_code !== code) throw new Error(body);
}

const startedMs = performance.now();
let sent = 0;
const underWay = new Set<Promise<void>>();
for await (const row of createReadStream(file).pipe(parse({ columns: true }))) {
  if (underWay.size >= AT_ONCE) await Promise.race(underWay);
  const sending = send(row as Record<string, string>).finally(() => underWay.delete(sending));
  underWay.add(sending);
  sent += 1;
}
await Promise.all(underWay);
process.stdout.write(`${(sent / ((performance.now() - startedMs) / 1000)).toFixed(1)}\n`);
