import { deepEqual, equal, notEqual, ok } from "node:assert/strict";
import { createHmac } from "node:crypto";
import fc from "fast-check";
import { newTransactionCode, randomIds } from "#base/ids.ts";
import { rowCodes } from "#ledger/intake/transaction-codes.ts";
import { BANKS, suggestBanks, isPayoutBank } from "#payout/rules/bank-codes/bank-codes.ts";
import { editDistance } from "#payout/rules/edit-distance.ts";
import {
  formatDoubt,
  FORMATS,
  formatFault,
  type FormatName,
  isCpf,
} from "#payout/rules/formats.ts";
import { hasMixedScripts } from "#payout/rules/names.ts";
import { law } from "../base/law.ts";

const keyed = (text: string) => createHmac("sha256", "a key").update(text).digest();

const FORMAT_NAMES = Object.keys(FORMATS) as FormatName[];
/** Formats of codes and numbers. A user's own key may hold any text. */
const CODE_FORMATS = FORMAT_NAMES.filter((name) => name !== "user_id");

/** A valid value for each format, generated from its own pattern. */
const fitting: fc.Arbitrary<readonly [FormatName, string]> = fc.oneof(
  ...CODE_FORMATS.map((name) => {
    const pattern = new RegExp(FORMATS[name].pattern.source.replace("(?=.{1,32}$)", ""));
    return fc
      .stringMatching(pattern)
      .filter((text) => formatFault(name, text) === null)
      .map((text) => [name, text] as const);
  }),
);

const CPF_WEIGHTS = [10, 9, 8, 7, 6, 5, 4, 3, 2];
/** A CPF by its published rule, written independently of the product's. */
const cpf = fc.stringMatching(/^[0-9]{9}$/).map((nine) => {
  const digit = (sum: number) => (sum % 11 < 2 ? 0 : 11 - (sum % 11));
  const weighed = (text: string, weights: readonly number[]) =>
    weights.reduce((sum, weight, i) => sum + weight * Number(text[i]), 0);
  const ten = nine + digit(weighed(nine, CPF_WEIGHTS));
  return ten + digit(weighed(ten, [11, ...CPF_WEIGHTS]));
});
const isOneDigit = (digits: string) => new Set(digits).size === 1;

const replaced = (text: string, at: number, char: string): string =>
  text.slice(0, at) + char + text.slice(at + 1);

const listed = fc
  .constantFrom(...Object.entries(BANKS))
  .chain(([currency, { payout }]) =>
    fc.tuple(fc.constant(currency), fc.constantFrom(...payout.map(([code]) => code))),
  );

export const CODE_LAWS = [
  law(
    "a valid code has no problem, and is refused with a hidden character around it",
    fc.tuple(fitting, fc.constantFrom("\n", "\r", "\t", "\0", "\u200b", "\u00a0", "\n1")),
    ([[name, text], hidden]) => {
      notEqual(formatFault(name, text + hidden), null);
      notEqual(formatFault(name, hidden + text), null);
    },
  ),
  law(
    "a digit of another script fits no code",
    fc.tuple(fitting, fc.nat(40), fc.constantFrom(0x0660, 0x0966, 0xff10), fc.nat(9)),
    ([[name, text], at, zero, digit]) => {
      const foreign = String.fromCodePoint(zero + digit);
      notEqual(formatFault(name, replaced(text, at % text.length, foreign)), null);
    },
  ),
  law(
    "a number shortened by a spreadsheet is reported as such in every column (F88)",
    fc.tuple(
      fc.constantFrom(...FORMAT_NAMES),
      fc.maxSafeInteger().map((number) => 10 ** 10 + Math.abs(number)),
      fc.nat(6),
    ),
    ([name, number, digits]) => {
      for (const text of [
        number.toExponential(digits),
        number.toExponential(digits).toUpperCase(),
      ]) {
        equal(formatFault(name, text), "scientific_notation");
      }
    },
  ),
  law(
    "leading zeros removed by a spreadsheet are noticed where the length of the code shows it (F88)",
    fc.tuple(
      fc.constantFrom<[FormatName, number]>(["zengin_bank", 4], ["zengin_branch", 3]),
      fc.nat(999),
    ),
    ([[name, digits], number]) => {
      const whole = String(number).padStart(digits, "0").slice(-digits);
      const short = String(Number(whole));
      fc.pre(short.length < digits);
      equal(formatFault(name, whole), null);
      equal(formatFault(name, short), "lost_leading_zeros");
    },
  ),
  law(
    "a whole number with a decimal point from a spreadsheet is reported as such in every numeric column (F88)",
    fc.tuple(
      fc.constantFrom("digits", "cpf", "phone", "napas_bin"),
      fc.bigInt(1n, 10n ** 12n),
      fc.constantFrom(".0", ",0", ".00"),
    ),
    ([name, number, tail]) => {
      equal(formatFault(name as FormatName, `${number}${tail}`), "trailing_point_zero");
    },
  ),
  law(
    "an IFSC with a letter O for its zero, in lower case or of another length is refused",
    fc.tuple(fc.stringMatching(/^[A-Z]{4}$/), fc.stringMatching(/^[A-Z0-9]{6}$/)),
    ([bank, branch]) => {
      equal(formatFault("ifsc", `${bank}0${branch}`), null);
      const small = `${bank}0${branch}`.toLowerCase();
      const wrong = [
        `${bank}O${branch}`,
        small,
        `${bank}0${branch}0`,
        `${bank}0${branch.slice(1)}`,
      ];
      for (const text of wrong) notEqual(formatFault("ifsc", text), null);
    },
  ),
  law(
    "15 digits followed by zeros are doubted as a number truncated by a spreadsheet (F88)",
    fc.tuple(fc.stringMatching(/^[1-9][0-9]{14}$/), fc.integer({ min: 2, max: 9 })),
    ([digits, zeros]) => {
      equal(formatDoubt("digits", digits + "0".repeat(zeros)), "digits_lost");
      equal(formatDoubt("digits", `${digits}${"0".repeat(zeros - 1)}1`), null);
    },
  ),
  law("a CPF by the published rule is valid", cpf, (digits) => {
    equal(isCpf(digits), !isOneDigit(digits));
  }),
  law(
    "a CPF with another check digit is invalid",
    fc.tuple(cpf, fc.constantFrom(9, 10), fc.constantFrom(...Array.from("0123456789"))),
    ([digits, at, typed]) => {
      fc.pre(digits[at] !== typed);
      equal(isCpf(replaced(digits, at, typed)), false);
    },
  ),
  law(
    "the distance of two texts is symmetric, 0 only for equal texts, and satisfies the triangle inequality",
    fc.tuple(fc.string({ maxLength: 8 }), fc.string({ maxLength: 8 }), fc.string({ maxLength: 8 })),
    ([a, b, c]) => {
      equal(editDistance(a, b), editDistance(b, a));
      equal(editDistance(a, b) === 0, a === b);
      ok(editDistance(a, c) <= editDistance(a, b) + editDistance(b, c));
      ok(editDistance(a, b) <= Math.max(a.length, b.length));
    },
  ),
  law(
    "one letter changed, added or left out is a distance of 1",
    fc.tuple(
      fc.string({ minLength: 1, maxLength: 20 }),
      fc.nat(),
      fc.constantFrom("\u0001", "\u0002"),
    ),
    ([text, pick, char]) => {
      const at = pick % text.length;
      for (const other of [
        replaced(text, at, char),
        text.slice(0, at) + char + text.slice(at),
        text.slice(0, at) + text.slice(at + 1),
      ]) {
        equal(editDistance(text, other), 1);
      }
    },
  ),
  law(
    "a listed bank code is known; in another case it is doubted, and the correct one offered",
    listed,
    ([currency, code]) => {
      equal(isPayoutBank(currency, code), true);
      const other = code === code.toLowerCase() ? code.toUpperCase() : code.toLowerCase();
      fc.pre(!isPayoutBank(currency, other));
      const doubt = suggestBanks(currency, other, "");
      fc.pre(doubt.kind === "unknown");
      ok(doubt.kind === "unknown" && doubt.nearest.some((near) => near.startsWith(`${code} (`)));
    },
  ),
  law(
    "no bank code makes the search for similar codes throw or offer more than three",
    fc.tuple(
      fc.constantFrom(...Object.keys(BANKS), "INR", "XXX"),
      fc.string({ unit: "binary" }),
      fc.string({ unit: "grapheme" }),
    ),
    ([currency, code, name]) => {
      const doubt = suggestBanks(currency, code, name);
      ok(
        doubt.kind === "maintenance" ||
          (doubt.nearest.length <= 3 && new Set(doubt.nearest).size === doubt.nearest.length),
      );
    },
  ),
  law(
    "a Latin name has one script, and two with a Cyrillic or Greek letter (F89)",
    fc.tuple(
      fc.stringMatching(/^[A-Za-z][a-zé' -]{1,20}$/),
      fc.nat(),
      fc.constantFrom("а", "о", "е", "Ο", "Α"),
    ),
    ([name, pick, foreign]) => {
      equal(hasMixedScripts(name), false);
      const at = pick % (name.length + 1);
      equal(hasMixedScripts(name.slice(0, at) + foreign + name.slice(at)), true);
    },
  ),
  law(
    "a minted code has a fixed length, only letters and digits, and survives a change of case (F54)",
    fc.constant(null),
    () => {
      const code = newTransactionCode();
      ok(/^PR[0-9A-HJKMNP-TV-Z]{18}$/.test(code));
      equal(code.toUpperCase(), code);
      ok(/^B[0-9A-HJKMNP-TV-Z]{10}$/.test(randomIds.batchId()));
    },
  ),
  law(
    "two minted codes are never equal (F126)",
    fc.integer({ min: 2, max: 100 }),
    (count) => {
      const codes = Array.from({ length: count }, newTransactionCode);
      deepEqual(new Set(codes).size, count);
    },
    0.2,
  ),
  law(
    "rows of a batch have their own codes, which return with the same file and with no other (F126)",
    fc.tuple(
      fc.array(fc.array(fc.string({ maxLength: 3 }), { maxLength: 3 }), { maxLength: 30 }),
      fc.uuid(),
      fc.boolean(),
    ),
    ([rows, ledgerId, linesMove]) => {
      const codesOf = (digest: string) => {
        const codeFor = rowCodes(keyed, { ledgerId, digest, linesMove });
        return rows.map((cells, place) => codeFor({ line: place + 2, cells }));
      };
      const codes = codesOf("a");
      for (const code of codes) ok(/^PR[0-9A-HJKMNP-TV-Z]{18}$/.test(code));
      deepEqual(codesOf("a"), codes);
      deepEqual(new Set([...codes, ...codesOf("b")]).size, 2 * rows.length);
    },
  ),
];
