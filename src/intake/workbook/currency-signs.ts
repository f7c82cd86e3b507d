import type { Currency } from "#money/currency.ts";

/**
 * Lower-case signs, other than the currency code, that spreadsheets and people write next to an
 * amount for its currency.
 */
// biome-ignore format: the columns are the point
const SIGNS: Readonly<Record<Currency, readonly string[]>> = {
  BDT: ["৳", "tk"],
  BRL: ["r$"],
  CNY: ["¥", "cn¥", "rmb", "元"],
  IDR: ["rp"],
  INR: ["₹", "rs", "रु"],
  JPY: ["¥", "jp¥", "円"],
  KRW: ["₩", "원"],
  MMK: ["k", "ks"],
  MYR: ["rm"],
  PHP: ["₱", "p"],
  THB: ["฿"],
  TRY: ["₺", "tl"],
  VND: ["₫", "đ", "vnđ"],
};
/** Wallet balances are mostly counted in dollars. */
const SIGNS_OF_WALLETS = ["$", "us$", "usd", "₮"];

const CODES = new Set(Intl.supportedValuesOf("currency"));
/**
 * Known signs. A single letter next to a number is excluded because it is ambiguous: it may mean
 * thousands or pieces.
 */
const KNOWN = new Set(
  Object.values(SIGNS)
    .flat()
    .filter((sign) => !/^[a-z]$/.test(sign)),
);

const PIECE = /\[\$([^\]-]*)(?:-[^\]]*)?\]|\[[^\]]*\]|"([^"]*)"?|\\(.)|[_*].|(\p{Sc})|./gsu;
const WORD = /\p{L}[\p{L}\p{M}]*\p{Sc}?|\p{Sc}/gu;

/**
 * Returns the signs, codes and short names of currencies in a number format code, such as "R$"
 * #,##0.00 and [$€-407] 0.
 */
export function currencySigns(code: string): readonly string[] {
  const named: string[] = [];
  const words = code.replace(PIECE, (_, sign, quoted, escaped, bare) => {
    if (sign !== undefined) named.push(withoutDigits(sign));
    return quoted ?? escaped ?? bare ?? " ";
  });
  const signs = [...words.matchAll(WORD)].map(([word]) => word).filter(isSign);
  return [...new Set([...named.filter((sign) => sign !== ""), ...signs])];
}

/**
 * Removes digits, because the sign becomes part of a problem name, which must not contain an
 * account number.
 */
const withoutDigits = (sign: string): string => sign.replaceAll(/\p{N}/gu, "").trim().slice(0, 12);

const isSign = (word: string): boolean =>
  /\p{Sc}/u.test(word) || CODES.has(word) || KNOWN.has(word.toLowerCase());

/** Returns the first of these signs that denotes a currency other than this one. */
export function foreignSign(signs: readonly string[], currency: string): string | undefined {
  const own = new Set<string>([currency.toLowerCase(), ...signsOf(currency)]);
  return signs.find((sign) => !own.has(sign.normalize("NFKC").toLowerCase().replace(/\.$/, "")));
}

const signsOf = (currency: string): readonly string[] =>
  Object.hasOwn(SIGNS, currency) ? SIGNS[currency as Currency] : SIGNS_OF_WALLETS;
