import { Cipher } from "#gateway/wire/cipher.ts";
import { type Keyring, makeKeyring, merchantOf } from "#gateway/wire/keyring.ts";
import { DEMO_MERCHANTS } from "#simulator/demo-merchants.ts";
import { merchantsOf } from "#proof/simulation/gateway/message.ts";
import { CURRENCIES } from "./scenario.ts";

const MERCHANTS = DEMO_MERCHANTS.filter(({ currencies }) =>
  currencies.some((currency) => currency in CURRENCIES),
);

const QUERIES_CACHED = 1_000;

/**
 * Encrypts as the product does. A status query, which contains no time, is repeated with the same
 * bytes, which are encrypted once.
 */
class CampaignCipher extends Cipher {
  readonly #questions = new Map<string, string>();

  override seal(plaintext: string): string {
    if (plaintext.includes("transaction_timestamp")) return super.seal(plaintext);
    const known = this.#questions.get(plaintext);
    if (known !== undefined) return known;
    const sealed = super.seal(plaintext);
    if (this.#questions.size === QUERIES_CACHED) this.#questions.clear();
    this.#questions.set(plaintext, sealed);
    return sealed;
  }
}

const ACCOUNTS = MERCHANTS.map(merchantOf);
const CIPHERS = new Map(
  ACCOUNTS.map((account) => [account, new CampaignCipher(account.apiKey, account.apiSecret)]),
);
const REAL = makeKeyring(ACCOUNTS);

/** The same accounts as payrun and the gateway know them. */
export const KEYRING: Keyring = {
  ...REAL,
  cipherOf: (account) => CIPHERS.get(account) ?? REAL.cipherOf(account),
};
export const GATEWAY_MERCHANTS = merchantsOf(MERCHANTS);
