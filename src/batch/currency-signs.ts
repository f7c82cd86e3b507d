import type { Currency } from "#money/currency.ts";

/** What spreadsheets and people write beside an amount for its currency, other than the code of it; in small letters. */
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
/** Wallets are counted in dollars, mostly. */
const SIGNS_OF_WALLETS = ["$", "us$", "usd", "₮"];

const CODES = new Set(Intl.supportedValuesOf("currency"));
/** A single letter beside a number may say anything: thousands, pieces. */
const KNOWN = new Set(
  Object.values(SIGNS)
    .flat()
    .filter((sign) => !/^[a-z]$/.test(sign)),
);

const PIECE = /\[\$([^\]-]*)(?:-[^\]]*)?\]|\[[^\]]*\]|"([^"]*)"?|\\(.)|[_*].|(\p{Sc})|./gsu;
const WORD = /\p{L}[\p{L}\p{M}]*\p{Sc}?|\p{Sc}/gu;

/** The signs, codes and short names of currencies in the code of a number format: those of "R$" #,##0.00 and of [$€-407] 0. */
export function currencySigns(code: string): readonly string[] {
  const named: string[] = [];
  const words = code.replace(PIECE, (_, sign, quoted, escaped, bare) => {
    if (sign !== undefined) named.push(withoutDigits(sign));
    return quoted ?? escaped ?? bare ?? " ";
  });
  const signs = [...words.matchAll(WORD)].map(([word]) => word).filter(isSign);
  return [...new Set([...named.filter((sign) => sign !== ""), ...signs])];
}

/** It is told in the name of a finding, which holds nothing that may be an account. */
const withoutDigits = (sign: string): string => sign.replaceAll(/\p{N}/gu, "").trim().slice(0, 12);

const isSign = (word: string): boolean =>
  /\p{Sc}/u.test(word) || CODES.has(word) || KNOWN.has(word.toLowerCase());

/** The first of these signs that stands for another currency than this one. */
export function foreignSign(signs: readonly string[], currency: string): string | undefined {
  const own = new Set<string>([currency.toLowerCase(), ...signsOf(currency)]);
  return signs.find((sign) => !own.has(sign.normalize("NFKC").toLowerCase().replace(/\.$/, "")));
}

const signsOf = (currency: string): readonly string[] =>
  Object.hasOwn(SIGNS, currency) ? SIGNS[currency as Currency] : SIGNS_OF_WALLETS;
