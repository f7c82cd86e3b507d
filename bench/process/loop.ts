/**
 * The baseline for payrun: the loop that a developer would write by hand. csv-parse, the cipher,
 * the same got client, 64 concurrent requests, one process. It has no queue and no ledger, and does
 * not remember what it sent.
 *
 * Run as: node bench/process/loop.ts FILE URL [query]. With `query`, it also queries the status of
 * each payout once. Prints payouts per second.
 */
import { createReadStream } from "node:fs";
import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { parse } from "csv-parse";
import { got } from "got";
import { Cipher } from "#gateway/wire/cipher.ts";
import { newTransactionCode } from "#base/ids.ts";
import { Secret } from "#base/secret.ts";
import { DEMO_MERCHANTS } from "#simulator/demo-merchants.ts";

const [file = "", url = "", mode = ""] = process.argv.slice(2);
const merchant = DEMO_MERCHANTS.find(({ currencies }) => currencies.includes("INR"));
if (!merchant) throw new Error("no demo merchant for INR");

const AT_ONCE = 64;
const cipher = new Cipher(new Secret(merchant.api_key), new Secret(merchant.api_secret));
const client = got.extend({
  agent: {
    http: new HttpAgent({ keepAlive: true, maxSockets: AT_ONCE }),
    https: new HttpsAgent({ keepAlive: true, maxSockets: AT_ONCE }),
  },
  retry: { limit: 0 },
  throwHttpErrors: false,
  decompress: false,
  followRedirect: false,
  timeout: { request: 30_000 },
  headers: { "content-type": "application/json" },
});
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
  const { body } = await client.post(endpoint, {
    body: JSON.stringify({ key: encodeURIComponent(cipher.seal(plaintext)) }),
  });
  const answer = JSON.parse(body) as { message: string };
  if (answer.message !== "request withdraw successful") throw new Error(answer.message);
  if (mode === "query") await query(code);
}

async function query(code: string): Promise<void> {
  const plaintext = `merchant_api_key=${merchant?.api_key}&transaction_code=${code}`;
  const { body } = await client.post(statusEndpoint, {
    body: `key=${encodeURIComponent(encodeURIComponent(cipher.seal(plaintext)))}`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
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
