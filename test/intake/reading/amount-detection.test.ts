import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AmountTally } from "#intake/amount-detection.ts";
import { type AmountUnit, CURRENCIES, unitOf } from "#money/currency.ts";
import { AMOUNT_STYLE_NAMES, AMOUNT_STYLES, type AmountStyle, parseMoney } from "#money/parse.ts";

const USDT: AmountUnit = { currency: "USDT", minorDigits: 6, gatewayDigits: 6 };
const unit = (code: string): AmountUnit => unitOf(code) ?? USDT;

/** Reads amounts as a file whose format nobody confirmed. */
function questionAbout(texts: readonly string[], currency = "INR", usual: AmountStyle = "plain") {
  const tally = new AmountTally(usual);
  for (const text of texts) {
    const read = parseMoney(text, unit(currency), usual);
    tally.add(text, unit(currency), read.ok ? read.value : null);
  }
  return tally.question();
}

describe("the amount format of a file", () => {
  test.each([
    ["1,234.56", ["1,234.56", "12,345,678", "7"]],
    ["1.234,56", ["1.234,56", "12,5", "7"]],
    ["1 234,56", ["1 234,56", "1\u00a0234\u00a0567,8", "9\u202f999"]],
    ["1'234.56", ["1'234.56", "1\u2019234\u2019567", "0.5"]],
    ["1,25,000.50", ["1,25,000.50", "18,400", "2,07,310.25"]],
  ] as const)("is proposed as %s for amounts such as %j", (style, texts) => {
    expect(questionAbout(texts)).toMatchObject({ values: 3, proposed: style });
  });

  test("is the default without a question if no other format fits better", () => {
    expect(questionAbout(["1234.56", "0.50", "12"])).toBeNull();
  });

  test("is proposed with examples and totals for each format that could be meant", () => {
    const question = questionAbout(["1,25,000.50", "18,400", "2,07,310.25", "12,500"]);
    expect(question).toMatchObject({
      values: 4,
      proposed: "1,25,000.50",
      formats: [
        {
          format: "1,25,000.50",
          fits: 4,
          only: 2,
          totals: [{ currency: "INR", amount: "363210.75" }],
          examples: [
            { text: "1,25,000.50", currency: "INR", amount: "125000.50" },
            { text: "18,400", currency: "INR", amount: "18400.00" },
            { text: "2,07,310.25", currency: "INR", amount: "207310.25" },
          ],
        },
      ],
    });
  });

  test.each([
    ["1.234", "USDT"],
    ["1,234", "USDT"],
    ["12.500", "USDT"],
  ])("is asked about if %s in %s has two values and no other amount decides", (text, currency) => {
    const question = questionAbout([text, "7"], currency);
    expect(question).toMatchObject({ proposed: null });
    const totals = question?.formats.map((each) => each.totals[0]?.amount) ?? [];
    expect(new Set(totals).size).toBe(totals.length);
  });

  test("is certain if another amount rules out the second meaning", () => {
    expect(questionAbout(["1.234", "0.5"], "USDT")).toBeNull();
    expect(questionAbout(["1.234", "0,5"], "USDT")).toMatchObject({ proposed: "1.234,56" });
  });

  test.each(["JPY", "KRW", "VND"])("can only be thousands for 1.234 in %s", (currency) => {
    expect(questionAbout(["1.234"], currency)).toMatchObject({
      proposed: "1.234,56",
      formats: [{ format: "1.234,56", totals: [{ currency, amount: "1234" }] }],
    });
  });

  test("is asked about if amounts may be whole, or have more decimals than the currency", () => {
    const question = questionAbout(["99.505", "10.375", "7"]);
    expect(question).toMatchObject({ proposed: null });
    expect(question?.formats.map(({ format, fits }) => [format, fits])).toEqual([
      ["1.234,56", 3],
      ["plain", 1],
    ]);
    expect(questionAbout(["99.505", "1.234,50"])).toMatchObject({ proposed: "1.234,56" });
  });

  test("leaves a few amounts in another format to the errors of their rows", () => {
    expect(questionAbout(["100.00", "99.50", "12.555"])).toBeNull();
    expect(questionAbout(["1,25,000.50", "2,07,310", "12.500,00"])).toMatchObject({
      values: 3,
      proposed: "1,25,000.50",
    });
  });

  test("counts an amount that no format reads, and leaves it out of the totals", () => {
    const question = questionAbout(["1.234,56", "7", "1.00.000,00", "0,005"]);
    expect(question).toMatchObject({ values: 4, proposed: "1.234,56" });
    expect(question?.formats[0]).toMatchObject({
      fits: 2,
      totals: [{ currency: "INR", amount: "1241.56" }],
    });
  });

  test("counts numbers of a workbook, and ignores texts that no format can read", () => {
    const tally = new AmountTally("plain");
    tally.addNumber({ currency: "INR", minor: 5n, minorDigits: 2 });
    tally.add("ten", unit("INR"), null);
    tally.add("", unit("INR"), null);
    expect(tally.question()).toBeNull();
  });
});

/** An amount in a style, with the groups and the point of that style. */
function written(minor: bigint, { minorDigits }: AmountUnit, style: AmountStyle): string {
  const { group, point, upperGroup } = AMOUNT_STYLES[style];
  const digits = minor.toString().padStart(minorDigits + 1, "0");
  const whole = digits.slice(0, digits.length - minorDigits);
  const borders = upperGroup === 2 ? /\B(?=(?:\d{2})*\d{3}$)/g : /\B(?=(?:\d{3})+$)/g;
  const fraction = minorDigits === 0 ? "" : point + digits.slice(-minorDigits);
  return whole.replace(borders, group[0] ?? "") + fraction;
}

const units = fc.constantFrom(...Object.keys(CURRENCIES).map(unit), USDT);
const styles = fc.constantFrom(...AMOUNT_STYLE_NAMES);
const minors = fc.array(fc.bigInt(1n, 10n ** 12n), { minLength: 1, maxLength: 6 });

test("F91 a file in any format is never read silently as other amounts", () => {
  fc.assert(
    fc.property(units, styles, styles, minors, (of, style, usual, amounts) => {
      const whole = 10n ** BigInt(of.minorDigits - of.gatewayDigits);
      const payable = amounts.map((minor) => minor * whole);
      const texts = payable.map((minor) => written(minor, of, style));
      const question = questionAbout(texts, of.currency, usual);
      const readings = texts.map((text) => parseMoney(text, of, usual));
      const isMeant = readings.every((read, at) => read.ok && read.value.minor === payable[at]);
      const isUnread = readings.every((read) => !read.ok);
      expect(question !== null || isUnread || isMeant).toBe(true);
    }),
  );
});

test("F91 the proposed format reads every amount of a file in one format as it was written", () => {
  fc.assert(
    fc.property(units, styles, minors, (of, style, amounts) => {
      const whole = 10n ** BigInt(of.minorDigits - of.gatewayDigits);
      const payable = amounts.map((minor) => minor * whole);
      const texts = payable.map((minor) => written(minor, of, style));
      const { proposed } = questionAbout(texts, of.currency) ?? { proposed: "plain" };
      if (proposed === null) return;
      const read = texts.map((text) => parseMoney(text, of, proposed as AmountStyle));
      expect(read.map((each) => each.ok && each.value.minor)).toEqual(payable);
    }),
  );
});

test("F91 an ambiguous set of amounts stays ambiguous in every order", () => {
  const ambiguous = fc.stringMatching(/^[1-9][0-9]{0,2}[.,][0-9]{3}$/);
  const sets = fc.array(ambiguous, { minLength: 1, maxLength: 5 }).map((texts) => {
    const sign = texts[0]?.includes(".") ? "." : ",";
    return texts.map((text) => text.replace(/[.,]/, sign));
  });
  fc.assert(
    fc.property(sets, (texts) => {
      expect(questionAbout(texts, "USDT")?.proposed).toBeNull();
      expect(questionAbout(texts.toReversed(), "USDT")?.proposed).toBeNull();
    }),
  );
});
