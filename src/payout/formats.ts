import { looksLikeDate } from "#money/parse.ts";

/** Why a value does not have its column's form. Each has its sentence and repair in batch/problems.ts. */
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

/** Why a value of the right form is still worth a look. */
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
  /** Completes "expected …". */
  readonly expected: string;
  /** What the value looks like after a spreadsheet took its leading zeros. */
  readonly zerosLost?: RegExp;
  /** The same, where the shorter value may also be right. */
  readonly zerosMaybeLost?: RegExp;
  readonly doubt?: (text: string) => FormatDoubt | null;
}

const DIGITS = "4 to 24 digits, without blanks or dashes";
const LETTERS_TOO = "3 to 40 digits, or letters, digits and dashes, without blanks";

/** The forms of codes and numbers (specification, payout table and Limits; docs/gateway.md section 11). */
// biome-ignore format: the columns are the point
export const FORMATS = {
  user_id:       { fault: "bad_user_id",        pattern: /^.{1,128}$/u,            expected: "your own key of the user, at most 128 characters", doubt: rewritten },
  digits:        { fault: "bad_account_number", pattern: /^[0-9]{4,24}$/,          expected: DIGITS, doubt: precisionLost },
  account:       { fault: "bad_account_number", pattern: /^[A-Za-z0-9][A-Za-z0-9-]{2,39}$/, expected: LETTERS_TOO, doubt: precisionLost },
  bd_account:    { fault: "bad_account_number", pattern: /^[0-9]{4,24}$/,          expected: DIGITS, zerosMaybeLost: /^1[3-9][0-9]{8}$/, doubt: precisionLost },
  ph_account:    { fault: "bad_account_number", pattern: /^[A-Za-z0-9][A-Za-z0-9-]{2,39}$/, expected: LETTERS_TOO, zerosMaybeLost: /^9[0-9]{9}$/, doubt: precisionLost },
  mm_account:    { fault: "bad_account_number", pattern: /^[A-Za-z0-9][A-Za-z0-9-]{2,39}$/, expected: LETTERS_TOO, zerosMaybeLost: /^9[0-9]{7,9}$/, doubt: precisionLost },
  th_account:    { fault: "bad_account_number", pattern: /^[0-9]{4,24}$/,          expected: DIGITS, zerosMaybeLost: /^[0-9]{9}$/, doubt: precisionLost },
  tr_account:    { fault: "bad_account_number", pattern: /^[A-Za-z0-9][A-Za-z0-9-]{2,39}$/, expected: LETTERS_TOO, doubt: ibanDoubt },
  jp_account:    { fault: "bad_account_number", pattern: /^[0-9]{4,10}$/,          expected: "7 digits", zerosMaybeLost: /^[0-9]{4,6}$/, doubt: (text) => (text.length > 7 ? "longer_than_usual" : null) },
  ifsc:          { fault: "bad_ifsc",           pattern: /^[A-Z]{4}0[A-Z0-9]{6}$/, expected: "4 capital letters, the digit 0, then 6 capital letters or digits, such as HDFC0000001", doubt: (text) => (LETTERS_FOR_DIGITS.test(text) ? "ifsc_maybe_letters" : null) },
  bank_code:     { fault: "bad_bank_code",      pattern: /^(?=.{1,32}$)[A-Za-z0-9_.()-]+(?: [A-Za-z0-9_.()-]+)*$/, expected: "a bank code: letters, digits, _ - . ( ) and single blanks" },
  zengin_bank:   { fault: "bad_bank_code",      pattern: /^[0-9]{4}$/,             expected: "the 4 digits of the Zengin bank code, such as 0001", zerosLost: /^[0-9]{1,3}$/ },
  zengin_branch: { fault: "bad_branch_code",    pattern: /^[0-9]{3}$/,             expected: "the 3 digits of the Zengin branch code, such as 015", zerosLost: /^[0-9]{1,2}$/ },
  napas_bin:     { fault: "bad_bank_code",      pattern: /^[0-9]{6}$/,             expected: "the 6 digits of the Napas BIN, such as 970436" },
  phone:         { fault: "bad_phone_number",   pattern: /^[0-9]{11}$/,            expected: "11 digits without country code, such as 01812345678", zerosLost: /^1[0-9]{9}$/, doubt: phoneDoubt },
  cpf:           { fault: "bad_id_number",      pattern: /^[0-9]{11}$/,            expected: "the 11 digits of the ID number (CPF), without dots or dash", zerosLost: /^[0-9]{8,10}$/, doubt: cpfDoubt },
} satisfies Record<string, Format>;

export type FormatName = keyof typeof FORMATS;

/** Behind the bank stand digits, with few exceptions, and those are words: an O or I among digits was read off paper. */
const LETTERS_FOR_DIGITS = /^[A-Z]{4}0[0-9OI]*[OI][0-9OI]*$/;

const SCIENTIFIC = /^[0-9](?:[.,][0-9]+)?[eE]\+?[0-9]{1,3}$/;
const POINT_ZERO = /^[0-9]+[.,]0+$/;
/** What people and tools write to keep a spreadsheet from changing a value: '0123 and ="0123". */
const TEXT_MARKER = /^(?:['\u2018\u2019][0-9A-Za-z]+|="[^"]*")$/;

/** Of an Indian or Thai keyboard, or the full-width ones of Japanese and Chinese programs. */
const FOREIGN_DIGIT = /(?![0-9])\p{Nd}/u;

/** What a spreadsheet left of a number where a name belongs, or a key that stands in its place; null for nothing. */
export function damageOf(
  text: string,
): "scientific_notation" | "trailing_point_zero" | "maybe_rewritten" | null {
  if (!/[0-9]/.test(text)) return null;
  if (SCIENTIFIC.test(text)) return "scientific_notation";
  if (POINT_ZERO.test(text)) return "trailing_point_zero";
  return looksLikeDate(text) ? "maybe_rewritten" : null;
}

/** The fault of a value against its format, spreadsheet damage named before the plain fault; null where it fits. */
export function faultOf(name: FormatName, text: string): FormatFault | null {
  const format: Format = FORMATS[name];
  // 1E10, 5-Jan and 12.0 fit the pattern of many a code, and no code looks like them. An operator's own key may.
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
  if (name === "ifsc" && meantIfsc(text) !== null) return "ifsc_misspelt";
  return name === "cpf" && CNPJ_FORM.test(text) ? "id_number_is_cnpj" : format.fault;
}

/** The number of a company in Brazil. Since July 2026 there are letters in new ones. */
export const CNPJ_FORM = /^[0-9A-Z]{2}\.?[0-9A-Z]{3}\.?[0-9A-Z]{3}\/?[0-9A-Z]{4}-?[0-9]{2}$/;

/** The IFSC that is meant where only its capitals or a blank or dash too many are wrong; null for none. */
export function meantIfsc(text: string): string | null {
  if (!/^[A-Za-z0-9 -]{11,20}$/.test(text)) return null;
  const code = text.replace(/[ -]/g, "").toUpperCase();
  return FORMATS.ifsc.pattern.test(code) ? code : null;
}

/** What is odd about a value that fits its format; null for nothing. */
export function doubtOf(name: FormatName, text: string): FormatDoubt | null {
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

/** Some wallets have short numbers of their own; what begins as an IBAN, or is as long as one without its TR, is to be one. */
function ibanDoubt(text: string): FormatDoubt | null {
  const iban = text.replaceAll("-", "").toUpperCase();
  if (!/^(?:[A-Z]{2}[0-9O]|[0-9]{20})/.test(iban)) return null;
  return /^TR[0-9]{8}[0-9A-Z]{16}$/.test(iban) && isIban(iban) ? null : "iban_unlike";
}

/** ISO 13616: with the first four signs moved to the end, and letters as 10 to 35, it leaves 1 when divided by 97. */
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
