import { describe, expect, test } from "vitest";
import { findHiddenCharacter } from "#base/hidden-characters.ts";

describe("invisible characters", () => {
  // biome-ignore format: the columns are the point
  test.each([
    ["a zero width space",     "Asha\u200bVerma", "U+200B",   5],
    ["a bidi override",        "\u202eamreV",     "U+202E",   1],
    ["a Hangul filler",        "\u3164",          "U+3164",   1],
    ["a grapheme joiner",      "A\u034fsha",      "U+034F",   2],
    ["a variation selector",   "Asha\ufe0f",      "U+FE0F",   5],
    ["a blank of Braille",     "Asha\u2800Verma", "U+2800",   5],
    ["a half-width filler",    "김\uffa0",        "U+FFA0",   2],
    ["a Khmer inherent vowel", "ក\u17b4",         "U+17B4",   2],
    ["a line separator",       "a\u2028b",        "U+2028",   2],
    ["a private character",    "a\ue000",         "U+E000",   2],
    ["half of a character",    "a\udc00",         "U+DC00",   2],
    ["a joiner after an emoji", "💶a\u{e0061}",    "U+E0061",  3],
    ["a ZWJ in Latin letters", "As\u200dha",      "U+200D",   3],
    ["a ZWNJ at the start",    "\u200cআশা",       "U+200C",   1],
  ])("reports %s with its number and position", (_what, text, character, position) => {
    expect(findHiddenCharacter(text)).toEqual({ character, position, isJoiner: false });
  });

  test.each([
    ["Bengali", "রহমান র\u200d্যাব", 8],
    ["Persian", "می\u200cرود", 3],
    ["Hindi", "क्\u200dष", 3],
    ["Malayalam", "രാജന്\u200d", 6],
    ["Sinhala", "ක්\u200dර", 3],
    ["Burmese", "မ\u200cမ", 2],
  ])("allows a joiner that belongs to the spelling of %s", (_script, text, position) => {
    expect(findHiddenCharacter(text)).toMatchObject({ position, isJoiner: true });
  });

  test("reports the invisible character first when a valid joiner is next to it", () => {
    expect(findHiddenCharacter("می\u200cرود\u200b")).toEqual({
      character: "U+200B",
      position: 7,
      isJoiner: false,
    });
  });

  test.each(["", "Asha Verma", "Zoë", "山田タロウ", "สมชาย", "김", "💶"])(
    "finds none in %j",
    (text) => {
      expect(findHiddenCharacter(text)).toBeNull();
    },
  );
});
