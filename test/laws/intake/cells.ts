import { equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { formulaSafe, startsFormula } from "#intake/text/formula.ts";
import { seenLines } from "#intake/text/first-seen.ts";
import { visible } from "#base/invisible-characters.ts";
import { law } from "../base/law.ts";

/** Invisible characters: controls, direction marks, breaks, surrogate halves and non-characters. */
const HIDDEN_SIGN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}]/u;

export const CELL_LAWS = [
  law(
    "a cell that a spreadsheet would run is marked as text, and every other is unchanged (F87)",
    fc.tuple(
      fc.oneof(
        fc.constantFrom("=", "+", "-", "@", "\t", "\r", "\n", "\0", "＝", "＋", "－", "＠"),
        fc.string({ maxLength: 1 }),
      ),
      fc.string({ unit: "binary" }),
    ),
    ([start, rest]) => {
      const cell = start + rest;
      equal(startsFormula(formulaSafe(cell)), false);
      equal(formulaSafe(cell), startsFormula(cell) ? `'${cell}` : cell);
      if (/^[=+\-@]/.test(cell)) ok(startsFormula(cell));
    },
  ),
  law(
    "a shown text hides nothing, is short, and equals the text where that is visible",
    fc.oneof(fc.string({ unit: "binary", maxLength: 200 }), fc.string({ maxLength: 80 })),
    (text) => {
      const shown = visible(text);
      ok(!HIDDEN_SIGN.test(shown));
      ok(shown.length <= 80 * "\\u{10ffff}".length);
      if (/^[\x20-\x7e]{0,80}$/.test(text)) equal(shown, text);
    },
  ),
  law(
    "a text is remembered with its first line, among any others",
    fc.array(fc.oneof(fc.nat(50).map(String), fc.string({ unit: "binary" }))),
    (texts) => {
      const seen = seenLines();
      const firsts = new Map<string, number>();
      for (const [i, text] of texts.entries()) {
        equal(seen.firstLineOf(text, i + 2), firsts.get(text) ?? 0);
        if (!firsts.has(text)) firsts.set(text, i + 2);
      }
    },
  ),
];
