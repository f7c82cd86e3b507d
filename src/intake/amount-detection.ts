import type { AmountUnit } from "#money/currency.ts";
import { amountOf } from "#money/format.ts";
import { add, type Money } from "#money/money.ts";
import type { AmountProposal, FormatProposal } from "#intake/text/reading-proposal.ts";
import {
  AMOUNT_STYLE_NAMES,
  AMOUNT_STYLES,
  type AmountStyle,
  minorInStyle,
  parseMoney,
} from "#money/parse.ts";

interface Example {
  readonly text: string;
  readonly unit: AmountUnit;
}

const EXAMPLES_MAX = 3;
/** Every format reads these amounts, and reads the same amount. */
const DIGITS = /^[0-9]+$/;
/** Every format with a decimal point reads these amounts; no format with a decimal comma does. */
const POINTED = /^[0-9]+\.[0-9]{1,2}$/;
const isPointed = (style: AmountStyle): boolean => AMOUNT_STYLES[style].point === ".";

/** A number of amounts and their sums by currency. */
class Sums {
  count = 0;
  readonly totals = new Map<string, Money>();

  add(money: Money): void {
    const before = this.totals.get(money.currency);
    this.totals.set(money.currency, before ? add(before, money) : money);
    this.count += 1;
  }
}

/**
 * Reads the amounts of a file in every format at once, while its rows are read. Its size does not
 * depend on the number of rows.
 */
export class AmountTally {
  readonly #usual: AmountStyle;
  readonly #digits = new Sums();
  readonly #pointed = new Sums();
  readonly #others = new Map(AMOUNT_STYLE_NAMES.map((style) => [style, new Sums()]));
  readonly #only = new Map<AmountStyle, number>();
  /** Amounts that the first format reads and the second does not. */
  readonly #beyond = new Map<string, number>();
  /** Pairs of formats that read a text as different amounts. */
  readonly #conflicts = new Set<string>();
  readonly #telling: Example[] = [];
  readonly #common: Example[] = [];
  #otherValues = 0;
  /** Amounts that no format reads. */
  #unread = 0;
  /** Amounts that other formats read, and that have too many decimals in the usual one. */
  #tooPrecise = 0;

  /** @param usual the format that is used unless another format fits the file better. */
  constructor(usual: AmountStyle) {
    this.#usual = usual;
  }

  /** @param money the amount in the usual format; null if that format cannot read it. */
  add(text: string, unit: AmountUnit, money: Money | null): void {
    if (DIGITS.test(text)) {
      if (money) this.#addTo(this.#digits, money, { text, unit });
      else this.#unread += 1;
    } else if (POINTED.test(text)) {
      const value = money ?? moneyIn(text, unit, "plain");
      if (value) this.#addTo(this.#pointed, value, { text, unit });
      else this.#unread += 1;
    } else if (text !== "") this.#compare({ text, unit });
  }

  /** Adds an amount that a workbook stores as a number, which has no format. */
  addNumber(money: Money | null): void {
    if (money) this.#digits.add(money);
    else this.#unread += 1;
  }

  #addTo(sums: Sums, money: Money, example: Example): void {
    sums.add(money);
    if (this.#common.length < EXAMPLES_MAX) this.#common.push(example);
  }

  #compare(example: Example): void {
    const { text, unit } = example;
    const read = AMOUNT_STYLE_NAMES.flatMap((style) => {
      const money = moneyIn(text, unit, style);
      return money ? [{ style, money }] : [];
    });
    if (read.length === 0) {
      this.#unread += 1;
      return;
    }
    this.#otherValues += 1;
    if (isTooPrecise(example, this.#usual)) this.#tooPrecise += 1;
    const [first] = read;
    if (read.length === 1 && first) increase(this.#only, first.style);
    const styles = new Set(read.map(({ style }) => style));
    for (const { style, money } of read) {
      this.#others.get(style)?.add(money);
      for (const other of AMOUNT_STYLE_NAMES) {
        if (!styles.has(other)) increase(this.#beyond, pair(style, other));
      }
      for (const other of read) {
        if (other.money.minor !== money.minor) this.#conflicts.add(pair(style, other.style));
      }
    }
    if (this.#telling.length < EXAMPLES_MAX) this.#telling.push(example);
  }

  /**
   * Null: no other format fits more amounts than the usual one, and every format that fits as many
   * gives the same values. An amount that the usual format cannot read is then an error of its row.
   */
  question(): AmountProposal | null {
    const read = this.#digits.count + this.#pointed.count + this.#otherValues;
    const fits = new Map(AMOUNT_STYLE_NAMES.map((style) => [style, this.#fitsOf(style)]));
    const most = Math.max(...fits.values());
    const best = AMOUNT_STYLE_NAMES.filter((style) => fits.get(style) === most);
    if (best.includes(this.#usual) && this.#agree(best)) return null;
    const usual = best.includes(this.#usual) ? this.#usual : best[0];
    const isGuess = usual !== undefined && this.#isGuess(usual);
    return {
      values: read + this.#unread,
      proposed: (!isGuess && this.#agree(best) && usual) || null,
      formats: this.#worthShowing(fits, isGuess).map((style) => this.#shown(style)),
    };
  }

  /**
   * Returns whether a format fits better only because of amounts that have too many decimals in the
   * usual one: 99.505 may be 99505, or a sum that was not rounded.
   */
  #isGuess(style: AmountStyle): boolean {
    return this.#tooPrecise > 0 && this.#beyondOf(style, this.#usual) === this.#tooPrecise;
  }

  #fitsOf(style: AmountStyle): number {
    const pointed = isPointed(style) ? this.#pointed.count : 0;
    return this.#digits.count + pointed + (this.#others.get(style)?.count ?? 0);
  }

  #agree(styles: readonly AmountStyle[]): boolean {
    return styles.every((a) => styles.every((b) => !this.#conflicts.has(pair(a, b))));
  }

  /** Leaves out formats that read only amounts which a listed format reads in the same way. */
  #worthShowing(
    fits: ReadonlyMap<AmountStyle, number>,
    keepsUsual: boolean,
  ): readonly AmountStyle[] {
    const sorted = AMOUNT_STYLE_NAMES.toSorted((a, b) => (fits.get(b) ?? 0) - (fits.get(a) ?? 0));
    const kept: AmountStyle[] = [];
    for (const style of sorted) {
      const isCovered = kept.some(
        (other) => this.#beyondOf(style, other) === 0 && this.#agree([style, other]),
      );
      if (!isCovered || (keepsUsual && style === this.#usual)) kept.push(style);
    }
    return kept;
  }

  #beyondOf(style: AmountStyle, other: AmountStyle): number {
    const pointed = isPointed(style) && !isPointed(other) ? this.#pointed.count : 0;
    return pointed + (this.#beyond.get(pair(style, other)) ?? 0);
  }

  #shown(format: AmountStyle): FormatProposal {
    const totals = new Map<string, Money>();
    const parts = [this.#digits, ...(isPointed(format) ? [this.#pointed] : [])];
    for (const part of [...parts, this.#others.get(format)]) {
      for (const [currency, sum] of part?.totals ?? []) {
        const before = totals.get(currency);
        totals.set(currency, before ? add(before, sum) : sum);
      }
    }
    const examples = [...this.#telling, ...this.#common].slice(0, EXAMPLES_MAX);
    return {
      format,
      fits: this.#fitsOf(format),
      only: this.#only.get(format) ?? 0,
      totals: [...totals.values()].map(amountOf),
      examples: examples.map(({ text, unit }) => {
        const money = moneyIn(text, unit, format);
        return { text, currency: unit.currency, amount: money && amountOf(money).amount };
      }),
    };
  }
}

function moneyIn(text: string, unit: AmountUnit, style: AmountStyle): Money | null {
  const minor = minorInStyle(text, unit, style);
  const { currency, minorDigits } = unit;
  return minor === null ? null : { currency, minor, minorDigits };
}

function isTooPrecise({ text, unit }: Example, style: AmountStyle): boolean {
  const read = parseMoney(text, unit, style);
  return unit.minorDigits > 0 && !read.ok && read.error === "amount_too_many_decimals";
}

const pair = (a: AmountStyle, b: AmountStyle): string => `${a}|${b}`;

function increase<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
