import { createHash } from "node:crypto";
import type { z } from "zod";
import { describeFound, describeIssue } from "#base/schema-issues.ts";
import { err, ok, type Result } from "#base/result.ts";
import { Secret } from "#base/secret.ts";
import { Cipher } from "./cipher.ts";
import { MERCHANT_ENTRY, type MerchantEntry } from "./messages.ts";
import type { Layout } from "./endpoints.ts";

/**
 * An account at the gateway. It usually pays one currency (gateway.md section 4), or several
 * if configured.
 */
export interface Merchant {
  readonly merchantCode: string;
  readonly apiKey: Secret;
  readonly apiSecret: Secret;
  /** The payout method code from the administrator, unless the row has its own. */
  readonly payoutCode: string;
  /** Every payout code that a row may use: `payoutCode` and the additional ones. */
  readonly payoutCodes: readonly string[];
  /** The payment method code of deposits, unless the deposit has its own. */
  readonly paymentCode: string | null;
  /** The name that payers of a deposit see. Null: the payment page names no merchant. */
  readonly displayName: string | null;
  /** The layout of its payouts. Undefined: as in the settings of the client. */
  readonly payoutLayout?: Layout | undefined;
  readonly currencies: readonly string[];
  /**
   * A short digest that identifies the key pair in evidence. It is safe to log: a hash of two
   * random keys.
   */
  readonly keyId: string;
}

export interface Keyring {
  readonly all: readonly Merchant[];
  forCurrency(currency: string): Merchant | null;
  /** Returns the cipher of a merchant in this keyring. Key and IV are derived once. */
  cipherOf(merchant: Merchant): Cipher;
}

/**
 * Converts an entry of the merchants file; both secrets are wrapped against accidental printing.
 */
export function merchantOf(entry: MerchantEntry): Merchant {
  return {
    merchantCode: entry.merchant_code,
    apiKey: new Secret(entry.api_key),
    apiSecret: new Secret(entry.api_secret),
    payoutCode: entry.payout_code,
    payoutCodes: [...new Set([entry.payout_code, ...(entry.payout_codes ?? [])])],
    paymentCode: entry.payment_code ?? null,
    displayName: entry.display_name ?? null,
    ...(entry.payout_layout && { payoutLayout: entry.payout_layout }),
    currencies: entry.currencies,
    keyId: createHash("sha256")
      .update(`${entry.api_key}\n${entry.api_secret}`)
      .digest("hex")
      .slice(0, 12),
  };
}

/**
 * Parses the content of a merchants file. The error lists all problems together and contains no
 * secret.
 */
export function parseMerchants(content: unknown): Result<Merchant[], string> {
  const words = { error: describeIssue, reportInput: true };
  const parsed = MERCHANT_ENTRY.array().min(1).safeParse(content, words);
  if (!parsed.success) return err(parsed.error.issues.map(entryProblem).join("; "));
  const merchants = parsed.data.map(merchantOf);
  const clashes = clashesOf(merchants);
  return clashes.length === 0 ? ok(merchants) : err(clashes.join("; "));
}

/** Finds currencies with two merchants, and merchants with two sets of credentials. */
function clashesOf(merchants: readonly Merchant[]): string[] {
  const problems: string[] = [];
  const byCurrency = new Map<string, Merchant>();
  const codes = new Set<string>();
  for (const merchant of merchants) {
    if (codes.has(merchant.merchantCode)) {
      problems.push(`merchant ${merchant.merchantCode} is listed twice`);
    }
    codes.add(merchant.merchantCode);
    for (const currency of merchant.currencies) {
      const other = byCurrency.get(currency);
      if (other) {
        problems.push(
          `${currency} is assigned to both ${other.merchantCode} and ${merchant.merchantCode}`,
        );
      }
      byCurrency.set(currency, merchant);
    }
  }
  return problems;
}

/** Values that an error may quote. All others are secret or close to a secret. */
const SHOWN: ReadonlySet<unknown> = new Set([
  "merchant_code",
  "currencies",
  "payout_layout",
  "display_name",
]);

/** Describes the problem of an entry. Entries are counted from 1. */
function entryProblem({ path, message, code, input }: z.core.$ZodIssue): string {
  const [place, ...field] = path;
  const where = typeof place === "number" ? `merchant ${place + 1}: ` : "";
  if (code === "unrecognized_keys") return `${where}${message}`;
  const name = field.join(".");
  if (input === undefined) return `${where}${name} is missing`;
  const found = describeFound(input, SHOWN.has(field[0]));
  return `${where}${name}${name && ": "}expected ${message}, found ${found}`;
}

/**
 * Creates a keyring. Throws with all problems if a merchant is incomplete or a currency is assigned
 * twice.
 */
export function makeKeyring(merchants: readonly Merchant[]): Keyring {
  const problems = [...merchants.flatMap(missingFrom), ...clashesOf(merchants)];
  if (problems.length > 0) throw new Error(`Merchants: ${problems.join("; ")}`);
  const byCurrency = new Map(
    merchants.flatMap((merchant) => merchant.currencies.map((code) => [code, merchant] as const)),
  );
  const ciphers = new Map(
    merchants.map((merchant) => [merchant, new Cipher(merchant.apiKey, merchant.apiSecret)]),
  );

  return {
    all: [...merchants],
    forCurrency: (currency) => byCurrency.get(currency) ?? null,
    cipherOf: (merchant) => {
      const cipher = ciphers.get(merchant);
      if (!cipher) throw new Error(`merchant ${merchant.merchantCode} is not configured`);
      return cipher;
    },
  };
}

function missingFrom(merchant: Merchant): string[] {
  const parts: readonly (readonly [string, boolean])[] = [
    ["merchant code", merchant.merchantCode === ""],
    ["API key", merchant.apiKey.reveal() === ""],
    ["API secret", merchant.apiSecret.reveal() === ""],
    ["payout code", merchant.payoutCode === ""],
    ["currencies", merchant.currencies.length === 0],
  ];
  return parts
    .filter(([, isMissing]) => isMissing)
    .map(([part]) => `merchant ${merchant.merchantCode || "(unnamed)"} has no ${part}`);
}
