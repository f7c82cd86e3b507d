import { deepEqual, equal, ok, throws } from "node:assert/strict";
import fc from "fast-check";
import { type AmountUnit, CURRENCIES, unitOf } from "#money/currency.ts";
import { formatMoney, gatewayAmount } from "#money/format.ts";
import { add, type Money, parseDecimal, sumByCurrency } from "#money/money.ts";
import { AMOUNT_STYLE_NAMES, AMOUNT_STYLES, type AmountStyle, parseMoney } from "#money/parse.ts";
import { law } from "./base/law.ts";

const CRYPTO: AmountUnit = { currency: "USDT", minorDigits: 6, gatewayDigits: 6 };
const UNITS: readonly AmountUnit[] = [
  ...Object.keys(CURRENCIES).flatMap((code) => unitOf(code) ?? []),
  CRYPTO,
];

const unit = fc.constantFrom(...UNITS);
const style = fc.constantFrom(...AMOUNT_STYLE_NAMES);
const unitNamed = (code: string): AmountUnit => unitOf(code) ?? CRYPTO;

/** An amount that a file may contain and the gateway can carry. */
const money: fc.Arbitrary<Money> = fc
  .tuple(unit, fc.oneof(fc.bigInt(1n, 2_000n), fc.bigInt(1n, 10n ** 15n - 1n)))
  .map(([{ currency, minorDigits, gatewayDigits }, count]) => ({
    currency,
    minorDigits,
    minor: count * 10n ** BigInt(minorDigits - gatewayDigits),
  }));

/** Any amount: totals, and amounts in other people's files. */
const anyMoney: fc.Arbitrary<Money> = fc
  .tuple(unit, fc.bigInt(-(10n ** 20n), 10n ** 20n))
  .map(([{ currency, minorDigits }, minor]) => ({ currency, minorDigits, minor }));

/**
 * An amount as a file of the style writes it: the inverse of `parseMoney`, in as few lines as
 * possible.
 */
function written({ minor, minorDigits }: Money, name: AmountStyle, groupSign = 0): string {
  const digits = minor.toString().padStart(minorDigits + 1, "0");
  const whole = digits.slice(0, digits.length - minorDigits);
  const fraction = digits.slice(digits.length - minorDigits);
  const { group, point, upperGroup } = AMOUNT_STYLES[name];
  const sign = group[groupSign % Math.max(group.length, 1)] ?? "";
  const borders = upperGroup === 2 ? /\B(?=(?:\d{2})*\d{3}$)/g : /\B(?=(?:\d{3})+$)/g;
  const grouped = whole.replace(borders, sign);
  return fraction === "" ? grouped : grouped + point + fraction;
}

const amountLike = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom(...Array.from("0123456789.,' \u00a0\u2019-+eE()")) }),
  fc.stringMatching(/^[0-9]{1,20}(\.[0-9]{0,8})?$/),
  fc.stringMatching(/^[0-9]{1,3}([.,' ][0-9]{3}){0,5}([.,][0-9]{0,3})?$/),
  money.chain((amount) => style.map((name) => written(amount, name))),
);

/** The digits of other scripts, starting from their zero. */
const OTHER_ZEROS = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0e50, 0xff10, 0x1d7ce];

export const MONEY_LAWS = [
  law(
    "a formatted amount is read back as the same amount, in every currency (F93)",
    money,
    (amount) => {
      deepEqual(parseMoney(formatMoney(amount), unitNamed(amount.currency)), {
        ok: true,
        value: amount,
      });
    },
  ),
  law(
    "every style reads its own output with each of its group separators (F91)",
    fc.tuple(money, style, fc.nat(2)),
    ([amount, name, sign]) => {
      const read = parseMoney(written(amount, name, sign), unitNamed(amount.currency), name);
      deepEqual(read, { ok: true, value: amount });
    },
  ),
  law(
    "no style reads another style's output as a different amount (F91)",
    fc.tuple(money, style, style, fc.nat(2)),
    ([amount, name, other, sign]) => {
      const read = parseMoney(written(amount, name, sign), unitNamed(amount.currency), other);
      if (read.ok) deepEqual(read.value, amount);
    },
  ),
  law(
    "no text loses a digit, is rounded or guessed: the amount read is the amount written (F91, F93)",
    fc.tuple(amountLike, unit, style),
    ([text, of, name]) => {
      const read = parseMoney(text, of, name);
      fc.pre(read.ok);
      const { group, point } = AMOUNT_STYLES[name];
      const plain = [...text].filter((char) => !group.includes(char)).join("");
      const [whole = "", fraction = "", ...more] = plain.split(point);
      deepEqual(more, []);
      ok(/^[0-9]+$/.test(whole) && /^[0-9]*$/.test(fraction));
      equal(read.ok && read.value.minor, BigInt(whole + fraction.padEnd(of.minorDigits, "0")));
      ok(fraction.length <= of.minorDigits);
    },
  ),
  law(
    "a digit of another script is never read as one of ours (F91)",
    fc.tuple(money, style, fc.nat(30), fc.constantFrom(...OTHER_ZEROS)),
    ([amount, name, pick, zero]) => {
      const text = written(amount, name);
      const places = [...text].flatMap((char, at) => (/[0-9]/.test(char) ? [at] : []));
      const at = places[pick % places.length] ?? 0;
      const foreign = String.fromCodePoint(zero + Number(text[at]));
      const other = text.slice(0, at) + foreign + text.slice(at + 1);
      deepEqual(parseMoney(other, unitNamed(amount.currency), name), {
        ok: false,
        error: "amount_foreign_digits",
      });
    },
  ),
  law(
    "a sign, letter or blank anywhere in a plain amount is refused",
    fc.tuple(
      money,
      fc.nat(30),
      fc.constantFrom("+", "-", "e", "E", "x", " ", "\t", "\n", "_", "₹", "INR", "\0", "−"),
    ),
    ([amount, pick, char]) => {
      const text = formatMoney(amount);
      const at = pick % (text.length + 1);
      equal(parseMoney(text.slice(0, at) + char + text.slice(at), CRYPTO).ok, false);
    },
  ),
  law(
    "more decimals than the currency has are refused, even zeros (F92)",
    fc.tuple(money, fc.stringMatching(/^[0-9]{1,6}$/)),
    ([amount, surplus]) => {
      const text = formatMoney(amount);
      const more = `${text}${amount.minorDigits === 0 ? "." : ""}${surplus}`;
      deepEqual(parseMoney(more, unitNamed(amount.currency)), {
        ok: false,
        error: "amount_too_many_decimals",
      });
    },
  ),
  law(
    "decimals that the gateway does not pay are accepted only as zeros (F122)",
    fc.tuple(fc.constantFrom("IDR", "MMK"), fc.bigInt(1n, 10n ** 12n), fc.nat(99)),
    ([currency, whole, part]) => {
      const text = `${whole}.${String(part).padStart(2, "0")}`;
      const read = parseMoney(text, unitNamed(currency));
      if (part === 0) equal(read.ok && read.value.minor, whole * 100n);
      else deepEqual(read, { ok: false, error: "amount_decimals_not_payable" });
    },
  ),
  law(
    "zero is not an amount, however many zeros are written (F92)",
    fc.tuple(unit, style, fc.integer({ min: 1, max: 15 }), fc.nat(8)),
    ([of, name, whole, decimals]) => {
      const { point } = AMOUNT_STYLES[name];
      const fraction = decimals === 0 ? "" : point + "0".repeat(decimals);
      equal(parseMoney("0".repeat(whole) + fraction, of, name).ok, false);
    },
  ),
  law(
    "a date is not an amount in any style",
    fc.tuple(
      fc.date({ noInvalidDate: true, min: new Date("1900-01-01"), max: new Date("2199-12-31") }),
      style,
    ),
    ([date, name]) => {
      const [day = "", month = "", year = ""] = date
        .toISOString()
        .slice(0, 10)
        .split("-")
        .toReversed();
      const spellings = [
        [year, month, day].join("-"),
        [day, month, year].join("/"),
        [day, month, year].join("."),
        [day, month, year.slice(-2)].join("."),
        `${day}-Jan`,
        `Dec-${year.slice(-2)}`,
      ];
      for (const text of spellings) {
        deepEqual(parseMoney(text, CRYPTO, name), { ok: false, error: "amount_is_a_date" });
      }
    },
  ),
  law("formatted text has all decimals of the currency and no exponent", anyMoney, (amount) => {
    const fraction = amount.minorDigits === 0 ? "" : `\\.[0-9]{${amount.minorDigits}}`;
    ok(new RegExp(`^-?(?:0|[1-9][0-9]*)${fraction}$`).test(formatMoney(amount)));
    equal(BigInt(formatMoney(amount).replace(".", "")), amount.minor);
  }),
  law(
    "the gateway's text contains the full amount with the gateway's own number of decimals (F122)",
    money,
    (amount) => {
      const { gatewayDigits, minorDigits } = unitNamed(amount.currency);
      const [whole = "", fraction = ""] = gatewayAmount(amount).split(".");
      equal(fraction.length, gatewayDigits);
      equal(BigInt(whole + fraction.padEnd(minorDigits, "0")), amount.minor);
    },
  ),
  law(
    "an amount that the gateway's text cannot hold throws instead of being shortened",
    fc.tuple(fc.constantFrom("IDR", "MMK"), fc.bigInt(1n, 10n ** 12n)),
    ([currency, minor]) => {
      fc.pre(minor % 100n !== 0n);
      throws(() => gatewayAmount({ currency, minor, minorDigits: 2 }), /more than 0 decimals/);
    },
  ),
  law(
    "a total does not depend on the order of its amounts",
    fc
      .array(anyMoney, { minLength: 1, maxLength: 20 })
      .chain((amounts) =>
        fc.tuple(fc.constant(amounts), fc.shuffledSubarray(amounts, { minLength: amounts.length })),
      ),
    ([amounts, shuffled]) => {
      // deepEqual compares the entries of maps, not their order.
      deepEqual(sumByCurrency(shuffled), sumByCurrency(amounts));
    },
  ),
  law(
    "totals of parts add up to the total of the whole",
    fc.tuple(fc.array(anyMoney, { maxLength: 20 }), fc.nat(20)),
    ([amounts, at]) => {
      const parts = [amounts.slice(0, at), amounts.slice(at)].map(sumByCurrency);
      const joined = sumByCurrency(parts.flatMap((totals) => [...totals.values()]));
      deepEqual(joined, sumByCurrency(amounts));
    },
  ),
  law(
    "a total is the sum of the minor units, beyond the precision of a float (F94)",
    fc.array(fc.bigInt(-(10n ** 20n), 10n ** 20n), { minLength: 1 }),
    (minors) => {
      const amounts = minors.map((minor) => ({ currency: "INR", minorDigits: 2, minor }));
      const sum = minors.reduce((a, b) => a + b, 0n);
      deepEqual(sumByCurrency(amounts).get("INR"), { currency: "INR", minorDigits: 2, minor: sum });
    },
  ),
  law(
    "amounts of two currencies or two scales are never added",
    fc.tuple(anyMoney, anyMoney, fc.nat(6)),
    ([a, b, digits]) => {
      const other = a.currency === b.currency ? { ...b, minorDigits: digits } : b;
      fc.pre(other.currency !== a.currency || other.minorDigits !== a.minorDigits);
      throws(() => add(a, other), /cannot add/);
    },
  ),
  law(
    "a foreign decimal equals the formatted amount, whatever zeros surround it",
    fc.tuple(money, fc.nat(4), fc.nat(4)),
    ([{ currency, ...count }, before, behind]) => {
      const point = count.minorDigits === 0 && behind > 0 ? "." : "";
      const text = formatMoney({ currency, ...count }) + point + "0".repeat(behind);
      deepEqual(parseDecimal("0".repeat(before) + text, count.minorDigits), count);
    },
  ),
  law(
    "a decimal that needs more digits than the currency has equals none of its amounts",
    fc.tuple(money, fc.stringMatching(/^[0-9]{0,4}[1-9]$/)),
    ([amount, surplus]) => {
      const point = amount.minorDigits === 0 ? "." : "";
      const read = parseDecimal(`${formatMoney(amount)}${point}${surplus}`, amount.minorDigits);
      ok(read !== null && read.minorDigits > amount.minorDigits);
    },
  ),
];
