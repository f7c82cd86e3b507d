import { Cipher } from "#gateway/wire/cipher.ts";
import type { MerchantEntry } from "#gateway/wire/messages.ts";
import { Secret } from "#base/secret.ts";

/** A merchant as the gateway knows it. */
export interface SimulatedMerchant {
  readonly code: string;
  readonly apiKey: string;
  /** Payment code for deposits. Null: the merchant has none. */
  readonly paymentCode: string | null;
  readonly currencies: readonly string[];
  readonly cipher: Cipher;
}

/** Returns the merchants of a merchants file by their codes. */
export function merchantsByCode(entries: readonly MerchantEntry[]): Map<string, SimulatedMerchant> {
  return new Map(
    entries.map((entry) => [
      entry.merchant_code,
      {
        code: entry.merchant_code,
        apiKey: entry.api_key,
        paymentCode: entry.payment_code ?? null,
        currencies: entry.currencies,
        cipher: new Cipher(new Secret(entry.api_key), new Secret(entry.api_secret)),
      },
    ]),
  );
}
