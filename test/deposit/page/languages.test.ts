/** The languages of the payment page: which one is chosen, and whether its texts are complete. */
import { describe, expect, test } from "vitest";

import {
  CATALOGUE,
  findLanguage,
  type Language,
  LANGUAGES,
  languageOf,
} from "#deposit/page/languages/catalogue.ts";

describe("the language of a page", () => {
  test.each([
    ["hi", "hi"],
    ["hi-IN,hi;q=0.9,en;q=0.8", "hi"],
    ["en-GB,en;q=0.9,hi;q=0.8", "en"],
    ["en;q=0.5, JA;q=0.7", "ja"],
    ["de, ko;q=0.1", "ko"],
    ["de;q=1.000, vi ; q=0.25", "vi"],
    ["pt", "pt-BR"],
    ["pt-PT", "pt-BR"],
    ["pt-br", "pt-BR"],
    ["bn-BD", "bn"],
    ["my-Mymr-MM", "my"],
    ["tr;q=0, bn;q=0.1", "bn"],
  ])("is the first available one of %j: %s", (accepted, language) => {
    expect(languageOf(accepted)).toBe(language);
  });

  test.each([
    undefined,
    "",
    "de, fr;q=0.8",
    "*",
    "hi;q=0",
    "hi;q=0.000",
    "hi;q=9",
    "hi;q=-1",
    "hi;q=1e9",
    "hi;q=0.5;q=1",
    "hindi",
    "__proto__",
    "constructor;q=1",
    "hi\u0000",
    `${"x,".repeat(10_000)}hi`,
    ";;;,,,q=9",
  ])("is English for %j", (accepted) => {
    expect(languageOf(accepted)).toBe("en");
  });

  test.each(["", "de", "__proto__", "toString", "hi\u0000", "../hi", '"><script>'])(
    "cannot be chosen as %j",
    (tag) => {
      expect(findLanguage(tag)).toBeUndefined();
    },
  );
});

/** Returns the texts of a language by their paths, with "{0}" for the first argument. */
function textsOf(messages: object, prefix = ""): Map<string, string> {
  return new Map(
    Object.entries(messages).flatMap(([key, value]: [string, unknown]) => {
      const path = prefix + key;
      if (typeof value === "string") return [[path, value] as const];
      if (typeof value === "function") return [[path, String(value("{0}", "{1}"))] as const];
      return value === null ? [] : [...textsOf(value as object, `${path}.`)];
    }),
  );
}

const placeholdersIn = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();
/** A translation may write "once" or "a minute" with the digit 1. */
const numbersIn = (text: string) =>
  (text.replaceAll(/\{\d\}/g, "").match(/\p{Nd}+/gu) ?? [])
    .filter((digits) => digits !== "1")
    .toSorted();

const SCRIPTS: Readonly<Record<Exclude<Language, "en">, RegExp>> = {
  bn: /\p{Script=Bengali}/u,
  hi: /\p{Script=Devanagari}/u,
  ja: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u,
  ko: /\p{Script=Hangul}/u,
  my: /\p{Script=Myanmar}/u,
  "pt-BR": /\p{Script=Latin}/u,
  tr: /\p{Script=Latin}/u,
  vi: /\p{Script=Latin}/u,
};

/** The name of an identifier, which some languages do not translate. */
const SAME_IN = new Map<string, readonly Language[]>([["labels.upiId", ["ja", "ko", "my"]]]);

describe.each(LANGUAGES.filter((each) => each !== "en"))("the texts in %s", (language) => {
  const english = textsOf(CATALOGUE.en);
  const texts = textsOf(CATALOGUE[language]);
  const script = SCRIPTS[language];

  test("have the placeholders and the numbers of the English ones", () => {
    expect(english.size).toBeGreaterThan(80);
    for (const [path, original] of english) {
      const text = texts.get(path) ?? "";
      expect(placeholdersIn(text), path).toEqual(placeholdersIn(original));
      expect(numbersIn(text), path).toEqual(numbersIn(original));
    }
  });

  test("are translated, into one script", () => {
    const other = /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u;
    for (const [path, text] of texts) {
      if (SAME_IN.get(path)?.includes(language)) continue;
      expect(text, path).not.toBe(english.get(path));
      expect(text, path).toMatch(script);
      const rest = text.replaceAll(new RegExp(script, "gu"), "");
      expect(rest, path).not.toMatch(other);
    }
  });

  test("say that they are machine-generated", () => {
    expect(CATALOGUE[language].machineMade).toMatch(script);
  });
});
