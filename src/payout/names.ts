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

const ALONE = [
  "Cyrillic",
  "Greek",
  "Armenian",
  "Hebrew",
  "Arabic",
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
  "Georgian",
  "Cherokee",
].map((script) => new RegExp(`\\p{Script=${script}}`, "u"));

const KNOWN = [...WRITTEN_TOGETHER, ...ALONE];

/** The scripts of few people, such as Chakma and Ol Chiki, are not told apart: a letter of none of the others. */
const REST = { test: (letter: string) => !KNOWN.some((group) => group.test(letter)) };

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
  return (
    letters.length > 1 && !ALL_GROUPS.some((group) => letters.every((letter) => group.test(letter)))
  );
}

/** The Hangul fillers are letters that nobody sees. */
export const hasLetter = (name: string): boolean =>
  /(?!\p{Default_Ignorable_Code_Point})\p{L}/u.test(name);

const WORDS_MAX = 10;

const plainLetters = (name: string): string =>
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
