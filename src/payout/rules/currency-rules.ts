import type { Currency } from "#money/currency.ts";
import type { FormatName } from "#payout/rules/formats.ts";
import type { DetailField } from "#payout/payout.ts";

/** `required`: refused if empty. `wanted`: a warning if empty. `optional`: sent if filled in. */
export type Need = "required" | "wanted" | "optional";

/**
 * Content of a field: a code or number of a known form, a name of a person or bank, or a wallet
 * address.
 */
export type FieldKind = FormatName | "name" | "wallet";

interface FieldRule {
  readonly need: Need;
  readonly kind: FieldKind;
}

export type FieldRules = Readonly<Partial<Record<DetailField, FieldRule>>>;

const must = (kind: FieldKind): FieldRule => ({ need: "required", kind });
const want = (kind: FieldKind): FieldRule => ({ need: "wanted", kind });
const may = (kind: FieldKind): FieldRule => ({ need: "optional", kind });

/** Fields of every payout, whatever its currency. */
export const COMMON_FIELDS: FieldRules = { user_id: must("user_id"), account_name: must("name") };

/**
 * A crypto payout has a wallet and no bank. The configuration decides which currency codes are
 * crypto.
 */
export const CRYPTO_FIELDS: FieldRules = { ...COMMON_FIELDS, address: must("wallet") };

/**
 * The gateway's requirements (specification, payout table), with one line per currency in addition
 * to the common fields. The compiler refuses a gap. For IDR, MYR and PHP it requires no account
 * number, and for TRY and MMK no field at all. Without one a payout has no clear way to its
 * beneficiary, so its absence is a warning.
 */
// biome-ignore format: the columns are the point
export const RULES: Readonly<Record<Currency, FieldRules>> = withCommon({
  BDT: { bank_account_number: must("bd_account"), bank_code: must("bank_code"),   bank_name: must("name"), phone_number: must("phone") },
  BRL: { bank_account_number: must("cpf"),        bank_code: must("bank_code"),   bank_name: must("name") },
  CNY: { bank_account_number: must("digits"),     bank_code: must("bank_code"),   bank_name: must("name") },
  IDR: { bank_account_number: want("account"),    bank_code: must("bank_code"),   bank_name: must("name") },
  INR: { bank_account_number: must("digits"),     bank_code: must("bank_code"),   bank_name: must("name"), ifsc_code: must("ifsc") },
  JPY: { bank_account_number: must("jp_account"), bank_code: must("zengin_bank"), bank_name: must("name"), branch_code: must("zengin_branch") },
  KRW: { bank_account_number: must("digits"),     bank_code: must("bank_code"),   bank_name: must("name") },
  MMK: { bank_account_number: want("mm_account"),   bank_code: may("bank_code"),    bank_name: may("name") },
  MYR: { bank_account_number: want("account"),    bank_code: must("bank_code"),   bank_name: must("name") },
  PHP: { bank_account_number: want("ph_account"), bank_code: must("bank_code"),   bank_name: must("name") },
  THB: { bank_account_number: must("th_account"),   bank_code: must("bank_code"),   bank_name: must("name") },
  TRY: { bank_account_number: want("tr_account"), bank_code: may("bank_code"),    bank_name: may("name") },
  VND: { bank_account_number: must("digits"),     bank_code: must("napas_bin"),   bank_name: must("name") },
});

/**
 * Currencies whose people write names in Portuguese, Spanish or English, with letters of
 * Windows-1252.
 */
export const WESTERN_NAME_CURRENCIES: ReadonlySet<Currency> = new Set(["BRL", "PHP"]);

/** Adds the common fields to every line of a table, before its own. */
function withCommon<Code extends string>(
  lines: Readonly<Record<Code, FieldRules>>,
): Readonly<Record<Code, FieldRules>> {
  const merged = Object.entries<FieldRules>(lines).map(([code, fields]) => [
    code,
    { ...COMMON_FIELDS, ...fields },
  ]);
  return Object.fromEntries(merged) as Record<Code, FieldRules>;
}

/**
 * Default maximum amounts of one payout in whole units, about 200,000 US dollars. A salary or a
 * supplier's bill passes; a lost decimal point or another column's number does not.
 * docs/operate/largest-amounts.md has the same table for people.
 */
// biome-ignore format: the columns are the point
export const LIMITS: Readonly<Record<Currency | "USDT", bigint>> = {
  BDT:    25_000_000n,
  BRL:     1_000_000n,
  CNY:     1_500_000n,
  IDR: 3_000_000_000n,
  INR:    20_000_000n,
  JPY:    30_000_000n,
  KRW:   300_000_000n,
  MMK:   800_000_000n,
  MYR:     1_000_000n,
  PHP:    10_000_000n,
  THB:     7_000_000n,
  TRY:     8_000_000n,
  USDT:      200_000n,
  VND: 5_000_000_000n,
};

/** Maximum lengths in characters. The specification gives none. */
export const NAME_LENGTH_MAX = 140;
export const ADDRESS_LENGTH_MAX = 128;
