const ASCII = /^[\x20-\x7e]*$/;

/**
 * Scripts that are written together count as one: Japanese and Korean mix theirs by nature.
 * The first group that holds every letter of a name explains it.
 */
const SCRIPT_GROUPS: readonly RegExp[] = [
  /\p{Script=Latin}/u,
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
  /[\p{Script=Hangul}\p{Script=Han}]/u,
  /[\p{Script=Han}\p{Script=Bopomofo}]/u,
];

const OTHER_SCRIPTS = [
  "Cyrillic",
  "Greek",
  "Armenian",
  "Hebrew",
  "Arabic",
  "Devanagari",
  "Bengali",
  "Gurmukhi",
  "Gujarati",
  "Tamil",
  "Telugu",
  "Kannada",
  "Malayalam",
  "Thai",
  "Lao",
  "Myanmar",
  "Khmer",
  "Georgian",
  "Cherokee",
].map((script) => new RegExp(`\\p{Script=${script}}`, "u"));

const ALL_GROUPS = [...SCRIPT_GROUPS, ...OTHER_SCRIPTS];

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
