import { IFSC_FORM, mayHaveLetterForDigit, suggestIfsc } from "#payout/rules/ifsc.ts";
import { looksLikeDate } from "#money/parse.ts";

/**
 * The reason why a value does not have the form of its column. intake/text/problems.ts has a
 * sentence and a correction for each.
 */
export type FormatFault =
  | "lost_leading_zeros"
  | "scientific_notation"
  | "turned_into_date"
  | "trailing_point_zero"
  | "text_marker"
  | "foreign_digits"
  | "bad_account_number"
  | "account_without_digits"
  | "account_of_zeros"
  | "bad_ifsc"
  | "ifsc_misspelt"
  | "bad_bank_code"
  | "bad_branch_code"
  | "bad_phone_number"
  | "bad_id_number"
  | "id_number_is_cnpj"
  | "bad_user_id";

/** The reason why a value of the correct form still needs attention. */
export type FormatDoubt =
  | "maybe_lost_zero"
  | "digits_lost"
  | "maybe_rewritten"
  | "longer_than_usual"
  | "maybe_country_code"
  | "phone_unlike"
  | "iban_unlike"
  | "ifsc_maybe_letters"
  | "id_check_digits";

interface Format {
  readonly pattern: RegExp;
  readonly fault: FormatFault;
  /** Completes the sentence "expected …". */
  readonly expected: string;
  /** Matches the value after a spreadsheet removed its leading zeros. */
  readonly zerosLost?: RegExp;
  /** The same, if the shorter value may also be correct. */
  readonly zerosMaybeLost?: RegExp;
  readonly doubt?: (text: string) => FormatDoubt | null;
}

const DIGITS = "4 to 24 digits, without spaces or dashes";
const LETTERS_TOO = "3 to 40 letters, digits or dashes, without spaces";

/**
 * The forms of codes and numbers (specification, payout table and Limits; gateway.md section
 * 11).
 */
// biome-ignore format: the columns are the point
export const FORMATS = {
  user_id:       { fault: "bad_user_id",        pattern: /^.{1,128}$/u,            expected: "your own ID for the user, at most 128 characters", doubt: rewritten },
  digits:        { fault: "bad_account_number", pattern: /^[0-9]{4,24}$/,          expected: DIGITS, doubt: precisionLost },
  account:       { fault: "bad_account_number", pattern: /^[A-Za-z0-9][A-Za-z0-9-]{2,39}$/, expected: LETTERS_TOO, doubt: precisionLost },
  bd_account:    { fault: "bad_account_number", pattern: /^[0-9]{4,24}$/,          expected: DIGITS, zerosMaybeLost: /^1[3-9][0-9]{8}$/, doubt: precisionLost },
  ph_account:    { fault: "bad_account_number", pattern: /^[A-Za-z0-9][A-Za-z0-9-]{2,39}$/, expected: LETTERS_TOO, zerosMaybeLost: /^9[0-9]{9}$/, doubt: precisionLost },
  mm_account:    { fault: "bad_account_number", pattern: /^[A-Za-z0-9][A-Za-z0-9-]{2,39}$/, expected: LETTERS_TOO, zerosMaybeLost: /^9[0-9]{7,9}$/, doubt: precisionLost },
  th_account:    { fault: "bad_account_number", pattern: /^[0-9]{4,24}$/,          expected: DIGITS, zerosMaybeLost: /^[0-9]{9}$/, doubt: precisionLost },
  tr_account:    { fault: "bad_account_number", pattern: /^[A-Za-z0-9][A-Za-z0-9-]{2,39}$/, expected: LETTERS_TOO, doubt: ibanDoubt },
  jp_account:    { fault: "bad_account_number", pattern: /^[0-9]{4,10}$/,          expected: "7 digits", zerosMaybeLost: /^[0-9]{4,6}$/, doubt: (text) => (text.length > 7 ? "longer_than_usual" : null) },
  ifsc:          { fault: "bad_ifsc",           pattern: IFSC_FORM,                 expected: "4 capital letters, the digit 0, then 6 capital letters or digits, such as HDFC0000001", doubt: (text) => (mayHaveLetterForDigit(text) ? "ifsc_maybe_letters" : null) },
  bank_code:     { fault: "bad_bank_code",      pattern: /^(?=.{1,32}$)[A-Za-z0-9_.()-]+(?: [A-Za-z0-9_.()-]+)*$/, expected: "a bank code of letters, digits, single spaces and the characters _ - . ( )" },
  zengin_bank:   { fault: "bad_bank_code",      pattern: /^[0-9]{4}$/,             expected: "the 4-digit Zengin bank code, such as 0001", zerosLost: /^[0-9]{1,3}$/ },
  zengin_branch: { fault: "bad_branch_code",    pattern: /^[0-9]{3}$/,             expected: "the 3-digit Zengin branch code, such as 015", zerosLost: /^[0-9]{1,2}$/ },
  napas_bin:     { fault: "bad_bank_code",      pattern: /^[0-9]{6}$/,             expected: "the 6-digit Napas BIN, such as 970436" },
  phone:         { fault: "bad_phone_number",   pattern: /^[0-9]{11}$/,            expected: "11 digits without the country code, such as 01812345678", zerosLost: /^1[0-9]{9}$/, doubt: phoneDoubt },
  cpf:           { fault: "bad_id_number",      pattern: /^[0-9]{11}$/,            expected: "the 11-digit ID number (CPF), without dots or dashes", zerosLost: /^[0-9]{8,10}$/, doubt: cpfDoubt },
} satisfies Record<string, Format>;

export type FormatName = keyof typeof FORMATS;

const SCIENTIFIC = /^[0-9](?:[.,][0-9]+)?[eE]\+?[0-9]{1,3}$/;
const POINT_ZERO = /^[0-9]+[.,]0+$/;
/**
 * Markers that people and tools add so a spreadsheet does not change a value: '0123 and ="0123".
 */
const TEXT_MARKER = /^(?:['\u2018\u2019][0-9A-Za-z]+|="[^"]*")$/;

/** Digits of an Indian or Thai keyboard, or full-width digits of Japanese and Chinese programs. */
const FOREIGN_DIGIT = /(?![0-9])\p{Nd}/u;

/**
 * Returns the spreadsheet damage to a number in a name field, or to a key in its place. Null: none.
 */
export function findDamage(
  text: string,
): "scientific_notation" | "trailing_point_zero" | "maybe_rewritten" | null {
  if (!/[0-9]/.test(text)) return null;
  if (SCIENTIFIC.test(text)) return "scientific_notation";
  if (POINT_ZERO.test(text)) return "trailing_point_zero";
  return looksLikeDate(text) ? "maybe_rewritten" : null;
}

/**
 * Returns the fault of a value against its format, with spreadsheet damage before the plain fault.
 * Null: it fits.
 */
export function formatFault(name: FormatName, text: string): FormatFault | null {
  const format: Format = FORMATS[name];
  // 1E10, 5-Jan and 12.0 match the pattern of many codes, but no code looks like them. An
  // operator's own user id may.
  if (SCIENTIFIC.test(text)) return "scientific_notation";
  if (name !== "user_id") {
    if (looksLikeDate(text)) return "turned_into_date";
    if (POINT_ZERO.test(text)) return "trailing_point_zero";
  }
  if (format.fault === "bad_account_number" && !/\p{Nd}/u.test(text))
    return "account_without_digits";
  if (format.fault === "bad_account_number" && /^[0-]*$/.test(text)) return "account_of_zeros";
  if (format.pattern.test(text)) return null;

  if (TEXT_MARKER.test(text)) return "text_marker";
  if (format.zerosLost?.test(text) === true) return "lost_leading_zeros";
  if (FOREIGN_DIGIT.test(text)) return "foreign_digits";
  if (name === "ifsc" && suggestIfsc(text) !== null) return "ifsc_misspelt";
  return name === "cpf" && CNPJ_FORM.test(text) ? "id_number_is_cnpj" : format.fault;
}

/** Number of a company in Brazil. New numbers contain letters since July 2026. */
export const CNPJ_FORM = /^[0-9A-Z]{2}\.?[0-9A-Z]{3}\.?[0-9A-Z]{3}\/?[0-9A-Z]{4}-?[0-9]{2}$/;

/** Returns the doubt about a value that fits its format. Null: none. */
export function formatDoubt(name: FormatName, text: string): FormatDoubt | null {
  const format: Format = FORMATS[name];
  if (format.zerosMaybeLost?.test(text) === true) return "maybe_lost_zero";
  return format.doubt?.(text) ?? null;
}

function rewritten(text: string): FormatDoubt | null {
  const isRewritten = looksLikeDate(text) || POINT_ZERO.test(text) || TEXT_MARKER.test(text);
  return isRewritten ? "maybe_rewritten" : null;
}

/** A spreadsheet keeps 15 digits of a number and writes zeros for the rest. */
function precisionLost(text: string): FormatDoubt | null {
  return /^[1-9][0-9]{14}0{2,9}$/.test(text) ? "digits_lost" : null;
}

function phoneDoubt(text: string): FormatDoubt | null {
  if (text.startsWith("880")) return "maybe_country_code";
  return /^01[3-9]/.test(text) ? null : "phone_unlike";
}

/**
 * Some wallets have short numbers of their own. A value that starts like an IBAN, or is as long as
 * one without its TR, must be one.
 */
function ibanDoubt(text: string): FormatDoubt | null {
  const iban = text.replaceAll("-", "").toUpperCase();
  if (!/^(?:[A-Z]{2}[0-9O]|[0-9]{20})/.test(iban)) return null;
  return /^TR[0-9]{8}[0-9A-Z]{16}$/.test(iban) && isIban(iban) ? null : "iban_unlike";
}

/**
 * ISO 13616: with the first four characters moved to the end, and letters as 10 to 35, the
 * number is 1 modulo 97.
 */
function isIban(iban: string): boolean {
  const moved = iban.slice(4) + iban.slice(0, 4);
  return BigInt(moved.replace(/[A-Z]/g, (letter) => `${parseInt(letter, 36)}`)) % 97n === 1n;
}

function cpfDoubt(text: string): FormatDoubt | null {
  return isCpf(text) ? null : "id_check_digits";
}

/** The two check digits of a Brazilian CPF: weighted sums modulo 11, where 10 counts as 0. */
export function isCpf(digits: string): boolean {
  if (!/^[0-9]{11}$/.test(digits) || /^([0-9])\1{10}$/.test(digits)) return false;
  const checkDigit = (length: number) => {
    let sum = 0;
    for (let i = 0; i < length; i++) sum += Number(digits[i]) * (length + 1 - i);
    return ((sum * 10) % 11) % 10;
  };
  return checkDigit(9) === Number(digits[9]) && checkDigit(10) === Number(digits[10]);
}
