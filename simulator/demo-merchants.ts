import { fileURLToPath } from "node:url";
import type { MerchantEntry } from "#gateway/wire/messages.ts";
import { CURRENCIES } from "#money/currency.ts";

/**
 * The crypto code that known clients use (gateway.md section 4). The money table has no crypto
 * code.
 */
const DEMO_CURRENCIES = [...Object.keys(CURRENCIES), "USDT"];

/**
 * One invented merchant per currency, as at the gateway, in the format of issued values: code `SKU`
 * and fourteen digits, key and secret in percent-encoded Base64. They give access only to this
 * simulator.
 */
export const DEMO_MERCHANTS: readonly MerchantEntry[] = DEMO_CURRENCIES.map((currency, index) => {
  const number = String(index + 1).padStart(2, "0");
  const encoded = (text: string) => encodeURIComponent(Buffer.from(text).toString("base64"));
  return {
    currencies: [currency],
    merchant_code: `SKU202601010000${number}`,
    api_key: encoded(`demo-key-${currency}`.padEnd(16, "-")),
    api_secret: encoded(`demo-secret-${currency}`.padEnd(32, "-")),
    payout_code: `WTEST${number}`,
    payment_code: `PTEST${number}`,
  };
});

/** Path of a merchants file with the same merchants, for payrun itself. */
export const DEMO_MERCHANTS_FILE = fileURLToPath(
  new URL("../samples/demo-merchants.json", import.meta.url),
);
