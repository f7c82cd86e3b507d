import { BDT } from "#payout/banks/bdt.ts";
import { BRL } from "#payout/banks/brl.ts";
import { CNY } from "#payout/banks/cny.ts";
import { IDR } from "#payout/banks/idr.ts";
import { KRW } from "#payout/banks/krw.ts";
import { MMK } from "#payout/banks/mmk.ts";
import { MYR } from "#payout/banks/myr.ts";
import { PHP } from "#payout/banks/php.ts";
import type { Bank, BankTable } from "#payout/banks/table.ts";
import { THB } from "#payout/banks/thb.ts";
import { VND } from "#payout/banks/vnd.ts";
import { editDistance } from "#payout/edit-distance.ts";
import { plainLetters } from "#payout/names.ts";

/** INR codes are shown in the provider's back office alone, JPY codes are the Zengin numbers: neither is published. */
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

/** What is known about a code that is not a payout code in service. */
export type BankDoubt =
  | { readonly kind: "maintenance"; readonly name: string }
  /** `deposit` names the bank where it is a deposit code. `nearest`: "CODE (Name)", best first. */
  | {
      readonly kind: "unknown";
      readonly deposit: string | null;
      readonly nearest: readonly string[];
    };

const NEAREST_MAX = 3;

/** Names that are shorter say nothing. */
const NAME_MIN = 3;

/** Words that say nothing about which bank is meant. Public Bank is one; a public company may be any. */
const FILLER =
  /\b(?:bank|the|ltd|limited|inc|corp|corporation|public(?= co)|company|co|plc|berhad|bhd|pt|tbk|tmcp|tnhh|mtv|ngan hang)\b|[^\p{L}\p{N}]+/gu;
/** What stands in the list as VIETCOMBANK behind a long name, or as RCBC before another one, is a name of its own. */
const NAMES_IN_ONE = /\/|\((?=[^()]+\)$)/;

/** Of each currency what is looked up. */
const LISTS = new Map(
  Object.entries(BANKS).map(([currency, { payout }]) => [
    currency,
    {
      payout,
      codes: new Set(payout.map(([code]) => code)),
      /** By codes and names, the first of a name. */
      byName: new Map(
        payout
          .flatMap((bank) => namesOf(bank).map((name) => [core(name), bank] as const))
          .toReversed(),
      ),
    },
  ]),
);

/** True for a listed payout code, and for every code of a currency without a table. */
export function isPayoutBank(currency: string, code: string): boolean {
  return LISTS.get(currency)?.codes.has(code) ?? true;
}

/**
 * Says what may be meant by a code for which `isPayoutBank` is false. The tables are of mid 2024 and the
 * provider's lists change, so this is a doubt and no proof; `bankName` helps to find what was meant.
 */
export function doubtBank(currency: string, code: string, bankName: string): BankDoubt {
  const table = BANKS[currency] ?? { payout: [] };
  const isMeant = ([candidate]: Bank) => candidate === code;
  const resting = table.maintenance?.find(isMeant);
  if (resting) return { kind: "maintenance", name: resting[1] };
  const deposit = table.depositOnly?.find(isMeant)?.[1] ?? null;
  // What the code stands for in another list is a hint; two lists may mean two banks, so both are tried.
  const formerly = table.formerly?.find(isMeant)?.[1] ?? null;
  const names = bankName === "" ? [deposit, formerly].filter((name) => name !== null) : [bankName];
  return { kind: "unknown", deposit, nearest: nearestBanks(table, code, names) };
}

/**
 * The bank that `bankName` is, as "CODE (Name)", where the listed code beside it is that of another bank: 2, Bank Of
 * Ayudhya, beside "Bangkok Bank". Null where the name may be that of the code, or is no bank of the list.
 */
export function bankOfName(currency: string, code: string, bankName: string): string | null {
  const list = LISTS.get(currency);
  if (!list) return null;
  const name = bare(bankName);
  const meant = list.byName.get(core(name));
  if (!meant || meant[0] === code || name.length < NAME_MIN) return null;
  const own = list.payout.filter(([candidate]) => candidate === code).flatMap(namesOf);
  // A bank may have two codes: its name is then part of that of the other.
  const isOwn = own.some((text) =>
    [name, ...namesOf(meant)].some((other) => isPartOf(text, other)),
  );
  return isOwn ? null : `${meant[0]} (${meant[1]})`;
}

/** The codes that come closest by code (a difference of case first) or by the bank's name. */
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

/** Edits per character: 0 for a difference of case alone, 1 where nothing is alike. */
function codeDistance(code: string, candidate: string): number {
  const [a, b] = [code.toLowerCase(), candidate.toLowerCase()];
  return editDistance(a, b) / Math.max(a.length, b.length);
}

function bare(name: string): string {
  return plainLetters(name).normalize("NFC").toLowerCase().replace(FILLER, "");
}

/** Kasikornbank is Kasikorn Bank. */
function core(bareName: string): string {
  const rest = bareName.replaceAll("bank", "");
  return rest.length < NAME_MIN ? bareName : rest;
}

function namesOf(bank: Bank): readonly string[] {
  return bank.flatMap((name = "") => [name, ...name.split(NAMES_IN_ONE)].map(bare));
}

/** Whether one of two names is the other, or a part of it. */
const isPartOf = (a: string, b: string): boolean =>
  Math.min(a.length, b.length) >= NAME_MIN && (b.includes(a) || a.includes(b));

function nameDistance(wanted: string, name: string): number {
  const [a, b] = [bare(wanted), bare(name)];
  if (a.length < NAME_MIN || b.length < NAME_MIN) return 1;
  if (a === b) return 0.01;
  if (isPartOf(a, b)) return 0.2;
  return editDistance(a, b) / Math.max(a.length, b.length) + 0.05;
}
