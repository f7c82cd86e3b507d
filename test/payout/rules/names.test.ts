import { describe, expect, test } from "vitest";
import { hasLetter, hasMixedScripts, nameWords } from "#payout/rules/names.ts";

/** A name in every script that is distinguished. */
// biome-ignore format: the columns are the point
const NAMES: Readonly<Record<string, string>> = {
  Latin: "Zoë O'Neil-Ş.",   Cyrillic: "Анна Жук",   Greek: "Ελένη",        Armenian: "Աննա",      Hebrew: "חנה",
  Arabic: "محمد",           Devanagari: "आशा",      Bengali: "আশা",        Gurmukhi: "ਆਸ਼ਾ",       Gujarati: "આશા",
  Tamil: "ஆஷா",             Telugu: "ఆశా",          Kannada: "ಆಶಾ",        Malayalam: "ആശ",       Thai: "สมชาย",
  Lao: "ສົມ",                Myanmar: "အောင်",        Khmer: "សុខ",          Georgian: "ანა",       Cherokee: "ᎠᎡ",
  Japanese: "山田タロウさん", Korean: "김金",          Bopomofo: "王ㄅㄆ",     Hiragana: "さくら",     Katakana: "サクラ",
  Odia: "ପ୍ରଫୁଲ୍ଲ ଦାସ",       Sinhala: "සිල්වා",       Chakma: "𑄌𑄋𑄴𑄟𑄳𑄦",       Manipuri: "ꯃꯅꯤꯄꯨꯔ",     Santali: "ᱥᱟᱱᱛᱟᱲ",
};
/** Companies in these countries have Latin letters in their names. */
// biome-ignore format: of East Asia, then of the South and the South East
const WITH_LATIN = [
  "Japanese", "Korean", "Bopomofo", "Hiragana", "Katakana",
  "Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Odia", "Tamil", "Telugu", "Kannada", "Malayalam", "Sinhala", "Thai", "Lao", "Myanmar", "Khmer",
];

describe.each(Object.entries(NAMES))("%s", (script, name) => {
  test("is one script", () => {
    expect(hasMixedScripts(name)).toBe(false);
    expect(hasLetter(name)).toBe(true);
  });

  test("is mixed with a letter of another", () => {
    const foreign = script === "Latin" || WITH_LATIN.includes(script) ? "ж" : "x";
    expect(hasMixedScripts(foreign + name)).toBe(true);
    expect(hasMixedScripts(`${name} ${foreign}`)).toBe(true);
  });
});

test.each([
  "株式会社ABC",
  "JR奈良駅前",
  "ＡＴＭトウカツ",
  "しらうめJネット",
  "주식회사 LG",
  "李 Ming",
  "ABC有限公司",
])("treats %s as an East Asian name with Latin letters, not as mixed", (name) =>
  expect(hasMixedScripts(name)).toBe(false),
);

test.each([
  "บริษัท ABC จำกัด",
  "ห้างหุ้นส่วนจำกัด K.S. การช่าง",
  "KBZPay ဦးအောင်",
  "ကုမ္ပဏီ ABC လီမိတက်",
  "আরএফএল PLC",
  "एबीसी Pvt Ltd",
  "ஏபிசி Traders",
  "ក្រុមហ៊ុន ABC",
  "ບໍລິສັດ ABC ຈຳກັດ",
])("treats %s as a name with Latin words next to letters unlike them", (name) =>
  expect(hasMixedScripts(name)).toBe(false),
);

test.each([
  ["the Myanmar ဝ for an o", "Jဝhn"],
  ["the Malayalam ഠ for an o, twice", "Sഠlഠman"],
  ["the Odia ଠ for an O", "ଠliver"],
])("treats %s as mixed", (_what, name) => {
  expect(hasMixedScripts(name)).toBe(true);
});

test.each([
  ["Thai and Latin with a Cyrillic А", "บริษัท АBC จำกัด"],
  ["Thai and Myanmar with Latin", "สมชาย အောင် ABC"],
  ["Thai with Lao", "สมชาย ສົມ"],
  ["Japanese with a Cyrillic A", "山田АБ"],
  ["Japanese with Latin and Cyrillic", "山田ABЖ"],
  ["Korean with Hiragana", "김さ"],
  ["Korean with Bopomofo", "김ㄅ"],
  ["Bopomofo with Katakana", "ㄅサ"],
  ["Greek with Cyrillic", "ΑА"],
])("treats %s as mixed", (_what, name) => {
  expect(hasMixedScripts(name)).toBe(true);
});

test.each(["", "A", "AAAA", "12 34", "サー", "A１２", "ª"])(
  "does not treat %j as mixed",
  (name) => {
    expect(hasMixedScripts(name)).toBe(false);
  },
);

test.each(["", "12", "-'.", "💶", "\u3164", "\u115f1"])("finds no letter in %j", (name) => {
  expect(hasLetter(name)).toBe(false);
});

test.each([
  ["Đặng Thị-Ánh", "dang thi anh"],
  ["ĐĂNG đ", "dang d"],
  ["Zoë O'Neil, Zoe", "zoe o neil"],
  ["山田 ﾀﾛｳ", "山田 タロウ"],
  ["สมชาย", "สมชาย"],
  ["R2 D2", "r2 d2"],
  ["..--", ""],
  ["a b c d e f g h i j k", "a b c d e f g h i j"],
])("finds %j by %j", (name, words) => {
  expect(nameWords(name).join(" ")).toBe(words);
});
