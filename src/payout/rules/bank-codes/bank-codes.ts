import { BDT } from "#payout/rules/bank-codes/bdt.ts";
import { BRL } from "#payout/rules/bank-codes/brl.ts";
import { CNY } from "#payout/rules/bank-codes/cny.ts";
import { IDR } from "#payout/rules/bank-codes/idr.ts";
import { KRW } from "#payout/rules/bank-codes/krw.ts";
import { MMK } from "#payout/rules/bank-codes/mmk.ts";
import { MYR } from "#payout/rules/bank-codes/myr.ts";
import { PHP } from "#payout/rules/bank-codes/php.ts";
import type { Bank, BankTable } from "#payout/rules/bank-codes/table.ts";
import { THB } from "#payout/rules/bank-codes/thb.ts";
import { VND } from "#payout/rules/bank-codes/vnd.ts";
import { editDistance } from "#payout/rules/edit-distance.ts";
import { latinBaseLetters } from "#payout/rules/names.ts";

/**
 * The bank tables by currency. INR codes are only shown in the provider's back office, and JPY
 * codes are the Zengin numbers: neither list is published.
 */
export const BANKS: Readonly<Record<string, BankTable>> = {
  BDT,
  BRL,
  CNY,
  IDR,
  KRW,
  MMK,
  MYR,
  PHP,
  THB,
  VND,
};

/** The available information on a code that is not an active payout code. */
export type BankDoubt =
  | { readonly kind: "maintenance"; readonly name: string }
  /** `deposit`: the bank's name if it is a deposit code. `nearest`: "CODE (Name)", best first. */
  | {
      readonly kind: "unknown";
      readonly deposit: string | null;
      readonly nearest: readonly string[];
    };

const NEAREST_MAX = 3;

/** Minimum length of a name. Shorter names are not meaningful. */
const NAME_MIN = 3;

/**
 * Words that do not identify a bank. "Public" counts only in front of "company", because there is a
 * Public Bank.
 */
const FILLER =
  /\b(?:bank|the|ltd|limited|inc|corp|corporation|public(?= co)|company|co|plc|berhad|bhd|pt|tbk|tmcp|tnhh|mtv|ngan hang)\b|[^\p{L}\p{N}]+/gu;
/**
 * The list contains names such as VIETCOMBANK after a long name, or RCBC before another one. Each
 * counts as a name of its own.
 */
const NAMES_IN_ONE = /\/|\((?=[^()]+\)$)/;

/** Lookup tables of each currency. */
const LISTS = new Map(
  Object.entries(BANKS).map(([currency, { payout }]) => [
    currency,
    {
      payout,
      codes: new Set(payout.map(([code]) => code)),
      /** Maps codes and names to banks. For a repeated name, the first bank wins. */
      byName: new Map(
        payout
          .flatMap((bank) => namesOf(bank).map((name) => [coreName(name), bank] as const))
          .toReversed(),
      ),
    },
  ]),
);

/** A payout code with the names of its banks. */
export interface ListedBank {
  readonly code: string;
  readonly name: string;
  /** The text for the column bank_name. Null: the code does not determine it. */
  readonly bankName: string | null;
}

/** Returns the listed payout codes of a currency. Empty: its list is not published. */
export const listedBanks = (currency: string): readonly ListedBank[] =>
  [...Map.groupBy(BANKS[currency]?.payout ?? [], ([code]) => code)].map(([code, banks]) => ({
    code,
    name: banks.map(([, name]) => name).join(" / "),
    bankName: nameInFiles(banks, BANKS[currency]?.namesNoBank ?? false),
  }));

/** The gateway does not receive an & unchanged. */
function nameInFiles([bank, ...others]: readonly Bank[], namesNoBank: boolean): string | null {
  if (namesNoBank || bank === undefined || others.length > 0) return null;
  return bank[1].replaceAll("&", "and");
}

/** Returns the name of the bank with a code. If several banks share it, the first one's. */
export const bankNameOf = (currency: string, code: string): string | null =>
  LISTS.get(currency)?.payout.find(([candidate]) => candidate === code)?.[1] ?? null;

/** True for a listed payout code, and for every code of a currency without a table. */
export function isPayoutBank(currency: string, code: string): boolean {
  return LISTS.get(currency)?.codes.has(code) ?? true;
}

/**
 * Suggests what a code may mean for which `isPayoutBank` is false. The tables date from mid 2024
 * and the provider's lists change, so this is a doubt and no proof. `bankName` helps to find the
 * intended bank.
 */
export function suggestBanks(currency: string, code: string, bankName: string): BankDoubt {
  const table = BANKS[currency] ?? { payout: [] };
  const isMeant = ([candidate]: Bank) => candidate === code;
  const resting = table.maintenance?.find(isMeant);
  if (resting) return { kind: "maintenance", name: resting[1] };
  const deposit = table.depositOnly?.find(isMeant)?.[1] ?? null;
  // The code's meaning in another list is a hint. Two lists may name two banks, so both are tried.
  const formerly = table.formerly?.find(isMeant)?.[1] ?? null;
  const names = bankName === "" ? [deposit, formerly].filter((name) => name !== null) : [bankName];
  return { kind: "unknown", deposit, nearest: nearestBanks(table, code, names) };
}

/**
 * Returns the bank that `bankName` names, as "CODE (Name)", if the listed code belongs to another
 * bank: for example code 2, Bank Of Ayudhya, with "Bangkok Bank". Null: the name may match the
 * code, or is not in the list.
 */
export function findBankByName(currency: string, code: string, bankName: string): string | null {
  const list = LISTS.get(currency);
  if (!list) return null;
  const name = plainName(bankName);
  const meant = list.byName.get(coreName(name));
  if (!meant || meant[0] === code || name.length < NAME_MIN) return null;
  const own = list.payout.filter(([candidate]) => candidate === code).flatMap(namesOf);
  // A bank may have two codes. Its name is then part of the other code's name.
  const isOwn = own.some((text) =>
    [name, ...namesOf(meant)].some((other) => isPartOf(text, other)),
  );
  return isOwn ? null : `${meant[0]} (${meant[1]})`;
}

/**
 * Returns the listed name with "and" if `bankName` is that name with &. Null for every other name,
 * which must not be changed.
 */
export function bankNameWithAnd(currency: string, bankName: string): string | null {
  const wanted = plainName(bankName);
  const names = LISTS.get(currency)?.payout.flatMap(([, ...rest]) => rest) ?? [];
  const listed = names.find(
    (name) =>
      name?.includes("&") &&
      [name, ...name.split(NAMES_IN_ONE)].some((each) => plainName(each) === wanted),
  );
  return listed?.replaceAll("&", "and") ?? null;
}

/** Returns the codes that are closest by code (differences in case first) or by the bank's name. */
function nearestBanks(table: BankTable, code: string, names: readonly string[]): readonly string[] {
  const scored = table.payout
    .map(([candidate, name, otherName]) => ({
      text: `${candidate} (${name})`,
      code: candidate,
      score: Math.min(
        codeDistance(code, candidate),
        codeDistance(code, otherName ?? ""),
        ...names.map((wanted) => nameDistance(wanted, name)),
        ...names.map((wanted) => nameDistance(wanted, otherName ?? "")),
      ),
    }))
    .filter(({ score }) => score <= 0.4)
    .toSorted((a, b) => a.score - b.score);

  const seen = new Set<string>();
  const best = scored.filter(({ code: found }) => !seen.has(found) && seen.add(found));
  return best.slice(0, NEAREST_MAX).map(({ text }) => text);
}

/** Edits per character: 0 if only the case differs, 1 if no character matches. */
function codeDistance(code: string, candidate: string): number {
  const [a, b] = [code.toLowerCase(), candidate.toLowerCase()];
  return editDistance(a, b) / Math.max(a.length, b.length);
}

function plainName(name: string): string {
  return latinBaseLetters(name).normalize("NFC").toLowerCase().replace(FILLER, "");
}

/** Kasikornbank is Kasikorn Bank. */
function coreName(bareName: string): string {
  const rest = bareName.replaceAll("bank", "");
  return rest.length < NAME_MIN ? bareName : rest;
}

function namesOf(bank: Bank): readonly string[] {
  return bank.flatMap((name = "") => [name, ...name.split(NAMES_IN_ONE)].map(plainName));
}

/** Returns whether one of two names equals or contains the other. */
const isPartOf = (a: string, b: string): boolean =>
  Math.min(a.length, b.length) >= NAME_MIN && (b.includes(a) || a.includes(b));

function nameDistance(wanted: string, name: string): number {
  const [a, b] = [plainName(wanted), plainName(name)];
  if (a.length < NAME_MIN || b.length < NAME_MIN) return 1;
  if (a === b) return 0.01;
  if (isPartOf(a, b)) return 0.2;
  return editDistance(a, b) / Math.max(a.length, b.length) + 0.05;
}
