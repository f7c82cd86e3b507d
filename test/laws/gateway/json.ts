import { deepEqual, equal } from "node:assert/strict";
import fc from "fast-check";
import { parseObject } from "#gateway/wire/json.ts";
import { law } from "../base/law.ts";

const amountText = fc
  .tuple(fc.bigInt(0n, 10n ** 20n), fc.option(fc.stringMatching(/^[0-9]{1,6}$/)))
  .map(([whole, part]) => (part === null ? `${whole}` : `${whole}.${part}`));
const withTwice = (object: object, name: string): string =>
  `${JSON.stringify(object).slice(0, -1)},${JSON.stringify(name)}:0}`;
/** Strings that look like parts of an object. */
const lookalike = fc.string({ unit: fc.constantFrom(...Array.from('a1-.:,[]{}"\\e0')) });

export const JSON_LAWS = [
  law(
    "any object is read, and refused when a name is repeated",
    fc.tuple(
      fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue(), { minKeys: 1 }),
      fc.nat(),
    ),
    ([object, pick]) => {
      const names = Object.keys(object);
      deepEqual(Object.keys(parseObject(JSON.stringify(object)) ?? {}), names);
      const twice = withTwice(object, names[pick % names.length] ?? "");
      equal(parseObject(twice), null);
      equal(parseObject(`{"deep":[${twice}]}`), null);
    },
  ),
  law(
    "a number in an object is read as the text it was written in (F121)",
    fc.tuple(amountText, fc.constantFrom("", "e3", "E-7"), fc.boolean()),
    ([amount, exponent, minus]) => {
      const written = `${minus ? "-" : ""}${amount}${exponent}`;
      deepEqual(parseObject(`{"a":${written},"b":[${written}]}`), { a: written, b: [written] });
    },
  ),
  law(
    "an object of texts is read as JSON.parse reads it",
    fc.dictionary(fc.string(), fc.string()),
    (object) => {
      const text = JSON.stringify(object);
      deepEqual(parseObject(text), JSON.parse(text));
    },
  ),
  law(
    "a blank before an object changes nothing, whatever its strings look like, complete or broken",
    fc.tuple(
      fc.dictionary(lookalike, fc.oneof(lookalike, fc.double(), fc.array(fc.integer()))),
      fc.nat(),
      fc.constantFrom("", "0", ",", '"', "-", "}"),
    ),
    ([object, at, more]) => {
      const whole = JSON.stringify(object);
      const cut = at % (whole.length + 1);
      for (const text of [whole, whole.slice(0, cut) + more + whole.slice(cut)]) {
        deepEqual(parseObject(text), parseObject(` ${text}`));
      }
    },
  ),
];
