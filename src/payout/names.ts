const ASCII = /^[\x20-\x7e]*$/;

/**
 * Scripts that are written together count as one: Japanese and Korean mix theirs by nature, and companies there have Latin
 * letters in their names, which look like none of the others (UTS 39, "highly restrictive"). The first group that holds
 * every letter of a name explains it.
 */
const WRITTEN_TOGETHER: readonly RegExp[] = [
  /[\p{Script=Latin}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
  /[\p{Script=Latin}\p{Script=Hangul}\p{Script=Han}]/u,
  /[\p{Script=Latin}\p{Script=Han}\p{Script=Bopomofo}]/u,
];

const LATIN = /\p{Script=Latin}/u;
const script = (name: string): RegExp => new RegExp(`\\p{Script=${name}}`, "u");

const ALONE = ["Cyrillic", "Greek", "Armenian", "Hebrew", "Arabic", "Georgian", "Cherokee"].map(
  script,
);

/** Companies write Latin words beside these, whose letters look like none of theirs (UTS 39, "moderately restrictive"). */
const BESIDE_LATIN = [
  "Devanagari",
  "Bengali",
  "Gurmukhi",
  "Gujarati",
  "Oriya",
  "Tamil",
  "Telugu",
  "Kannada",
  "Malayalam",
  "Sinhala",
  "Thai",
  "Lao",
  "Myanmar",
  "Khmer",
].map(script);

const KNOWN = [...WRITTEN_TOGETHER, ...ALONE, ...BESIDE_LATIN];

type Group = Pick<RegExp, "test">;

/** The scripts of few people, such as Chakma and Ol Chiki, are not told apart: a letter of none of the others. */
const REST: Group = { test: (letter: string) => !KNOWN.some((group) => group.test(letter)) };

const ALL_GROUPS = [...KNOWN, REST];

/**
 * True where the letters of a name come from more than one script, as in "Ann" with a Cyrillic А: it
 * reads like another name to people and is a different one to a bank.
 */
export function hasMixedScripts(name: string): boolean {
  if (ASCII.test(name)) return false;
  const letters = [...new Set(name.match(/\p{L}/gu))].filter(
    (letter) => !/\p{Script=Common}/u.test(letter),
  );
  const isWithin = (text: readonly string[]) => (group: Group) =>
    text.every((letter) => group.test(letter));
  if (letters.length < 2 || ALL_GROUPS.some(isWithin(letters))) return false;
  // A single letter may be one of the few that look like an o after all, such as the Myanmar ဝ.
  const others = letters.filter((letter) => !LATIN.test(letter));
  return others.length < 2 || !BESIDE_LATIN.some(isWithin(others));
}

/** The Hangul fillers are letters that nobody sees. */
export const hasLetter = (name: string): boolean =>
  /(?!\p{Default_Ignorable_Code_Point})\p{L}/u.test(name);

const WORDS_MAX = 10;

/** Latin letters without their accents, and wide and narrow forms as the common ones. */
export const plainLetters = (name: string): string =>
  name
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/[đĐ]/g, "d");

/**
 * The words that a name is found by, without case and accents: "Đặng Thị-Ánh" and "dang thi anh" are the same three.
 * A name that is written without spaces is one word.
 */
export function nameWords(name: string): string[] {
  const plain = (ASCII.test(name) ? name : plainLetters(name)).toLowerCase();
  return [...new Set(plain.match(/[\p{L}\p{N}\p{M}]+/gu))].slice(0, WORDS_MAX);
}
