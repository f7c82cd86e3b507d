import { CNPJ_FORM, findDamage, type FormatDoubt, isCpf } from "#payout/rules/formats.ts";
import type { DetailField, PayoutDetails } from "#payout/payout.ts";

/** A doubt about a number whose type follows from the bank code. */
interface BankRuleDoubt {
  readonly field: DetailField;
  readonly doubt: FormatDoubt | "pix_key_unlike" | "wallet_unlike";
  /** Completes the sentence "expected …". */
  readonly expected: string;
}

interface BankRule extends BankRuleDoubt {
  readonly codes: readonly string[];
  readonly isOdd: (text: string) => boolean;
}

const like = (pattern: RegExp) => (text: string) => pattern.test(text);
/** Spreadsheet damage to a number is reported separately. */
const unlike = (pattern: RegExp) => (text: string) =>
  !pattern.test(text) && findDamage(text) === null;

const account =
  (doubt: FormatDoubt) =>
  (codes: readonly string[], pattern: RegExp, expected: string): BankRule => {
    return { codes, field: "bank_account_number", doubt, isOdd: like(pattern), expected };
  };
const zeroLost = account("maybe_lost_zero");
const countryCode = account("maybe_country_code");
/**
 * Wallets are identified by a mobile number. A number without its zero or with its country code is
 * reported separately.
 */
const wallet = (codes: readonly string[], pattern: RegExp, expected: string): BankRule => {
  const isOdd = unlike(pattern);
  return { codes, field: "bank_account_number", doubt: "wallet_unlike", isOdd, expected };
};

/** The number has one digit less than every account number of the bank. */
const short = (codes: readonly string[], digits: number): BankRule => {
  const pattern = new RegExp(`^[1-9][0-9]{${digits - 2}}$`);
  return zeroLost(codes, pattern, `the ${digits} digits of this bank's account numbers`);
};

/**
 * The code is the kind of a PIX key, and the key itself is in bank_name (gateway.md section
 * 5).
 */
const key = (
  codes: readonly string[],
  doubt: BankRule["doubt"],
  isOdd: BankRule["isOdd"],
  expected: string,
): BankRule => ({ codes, field: "bank_name", doubt, isOdd, expected });

const CPF_FORM = /^(?:[0-9]{11}|[0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2})$/;
const isWrongCpf = (text: string) => CPF_FORM.test(text) && !isCpf(text.replace(/[.-]/g, ""));
const CPF = "the 11-digit CPF";
const CNPJ = "the 14-digit CNPJ";
const IN_BD = "a mobile number such as 01812345678";
const IN_ID = "a mobile number with its leading zero, such as 081234567890";
const IN_MM = "a mobile number such as 09791234567";
const IN_PH = "a mobile number such as 09171234567";

const BD_WALLETS = ["2001", "2002", "2003", "2004", "2005"];
const ID_WALLETS = ["OVO", "LINKAJA", "GOPAY", "DANA", "SHOPEEPAY"];
const MM_WALLETS = ["WAVEPAY", "KBZPAY"];
const PH_WALLETS = ["gcash", "PMP", "GP", "SP"];

/** The checks by currency. The first one that matches a payout is reported. */
// biome-ignore format: the columns are the point
const BANK_RULES: Readonly<Record<string, readonly BankRule[]>> = {
  BDT: [
    // Rocket adds a check digit after the mobile number.
    zeroLost(["2002"], /^1[3-9][0-9]{9}$/, IN_BD),
    countryCode(BD_WALLETS, /^8801[3-9][0-9]{8,9}$/, IN_BD),
    wallet(["2002"], /^0?1[3-9][0-9]{8,9}$/, IN_BD),
    wallet(["2001", "2003", "2004", "2005"], /^0?1[3-9][0-9]{8}$/, IN_BD),
  ],
  BRL: [
    key(["CPF"],              "maybe_lost_zero", like(/^[0-9]{8,10}$/),           CPF),
    key(["CPF"],              "pix_key_unlike",  unlike(CPF_FORM),                CPF),
    key(["CPF"],              "id_check_digits", isWrongCpf,                      CPF),
    key(["CNPJ"],             "maybe_lost_zero", like(/^[0-9]{11,13}$/),          CNPJ),
    key(["CNPJ"],             "pix_key_unlike",  unlike(CNPJ_FORM),               CNPJ),
    key(["EMAIL"],            "pix_key_unlike",  unlike(/^[^\s@]+@[^\s@]+\.[^\s@]+$/), "an e-mail address"),
    key(["PHONE"],            "pix_key_unlike",  unlike(/^\+?[0-9 ()-]{10,20}$/), "a phone number with its area code"),
    key(["EVP", "RANDOMKEY"], "pix_key_unlike",  unlike(/^[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i), "a random key, such as 123e4567-e89b-12d3-a456-426614174000"),
  ],
  IDR: [
    zeroLost(ID_WALLETS,    /^8[0-9]{8,11}$/,   IN_ID),
    countryCode(ID_WALLETS, /^628[0-9]{8,11}$/, IN_ID),
    // Banks pay a wallet through a virtual account: the wallet's own digits before the mobile
    // number.
    wallet(ID_WALLETS,      /^[0-9]*08[0-9]{8,11}$/, IN_ID),
    short(["BCA", "BNI"], 10),
    short(["BRI"], 15),
  ],
  MMK: [
    countryCode(MM_WALLETS, /^959[0-9]{8,9}$/, IN_MM),
    wallet(MM_WALLETS,      /^0?9[0-9]{7,9}$/, IN_MM),
  ],
  MYR: [
    short(["PBB"], 10),
    short(["HLB"], 11),
    short(["MBB"], 12),
    short(["AMB"], 13),
    short(["BIMB", "CIMB", "RHB"], 14),
  ],
  PHP: [
    countryCode(PH_WALLETS, /^639[0-9]{9}$/,   IN_PH),
    wallet(PH_WALLETS,      /^0?9[0-9]{9}$/,   IN_PH),
  ],
};

/** Returns the doubt about a payout's account number that follows from its bank code. */
export function findBankRuleDoubt(
  currency: string,
  details: PayoutDetails,
): BankRuleDoubt | undefined {
  const { bank_code: code = "" } = details;
  return BANK_RULES[currency]?.find(({ codes, field, isOdd }) => {
    const text = details[field];
    return codes.includes(code) && text !== undefined && isOdd(text);
  });
}
