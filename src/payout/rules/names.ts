const ASCII = /^[\x20-\x7e]*$/;

/**
 * Groups of scripts that are written together and count as one. Japanese and Korean mix theirs by
 * nature, and companies there use Latin letters, which resemble none of the others (UTS 39, "highly
 * restrictive"). The first group that contains every letter of a name explains it.
 */
const WRITTEN_TOGETHER: readonly RegExp[] = [
  /[\p{Script=Latin}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
  /[\p{Script=Latin}\p{Script=Hangul}\p{Script=Han}]/u,
  /[\p{Script=Latin}\p{Script=Han}\p{Script=Bopomofo}]/u,
];

const LATIN = /\p{Script=Latin}/u;
const script = (name: string): RegExp => new RegExp(`\\p{Script=${name}}`, "u");

const SEPARATE_SCRIPTS = [
  "Cyrillic",
  "Greek",
  "Armenian",
  "Hebrew",
  "Arabic",
  "Georgian",
  "Cherokee",
].map(script);

/**
 * Scripts with which companies combine Latin words. Their letters resemble no Latin letter (UTS 39,
 * "moderately restrictive").
 */
const WITH_LATIN_SCRIPTS = [
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

const KNOWN = [...WRITTEN_TOGETHER, ...SEPARATE_SCRIPTS, ...WITH_LATIN_SCRIPTS];

type Group = Pick<RegExp, "test">;

/** Rare scripts, such as Chakma and Ol Chiki, form one group: letters of no other script. */
const OTHER_SCRIPTS: Group = {
  test: (letter: string) => !KNOWN.some((group) => group.test(letter)),
};

const ALL_GROUPS = [...KNOWN, OTHER_SCRIPTS];

/**
 * Returns whether the letters of a name come from more than one script, as in "Ann" with a Cyrillic
 * А. It looks like another name to people and is a different one to a bank.
 */
export function hasMixedScripts(name: string): boolean {
  if (ASCII.test(name)) return false;
  const letters = [...new Set(name.match(/\p{L}/gu))].filter(
    (letter) => !/\p{Script=Common}/u.test(letter),
  );
  const isWithin = (text: readonly string[]) => (group: Group) =>
    text.every((letter) => group.test(letter));
  if (letters.length < 2 || ALL_GROUPS.some(isWithin(letters))) return false;
  // A single letter may be one of the few that do resemble an o, such as the Myanmar ဝ.
  const others = letters.filter((letter) => !LATIN.test(letter));
  return others.length < 2 || !WITH_LATIN_SCRIPTS.some(isWithin(others));
}

/** The Hangul fillers are invisible letters. */
export const hasLetter = (name: string): boolean =>
  /(?!\p{Default_Ignorable_Code_Point})\p{L}/u.test(name);

const WORDS_MAX = 10;

/** Removes accents from Latin letters, and replaces wide and narrow forms with the common ones. */
export const latinBaseLetters = (name: string): string =>
  name
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/[đĐ]/g, "d");

/**
 * Returns the words by which a name is found, without case and accents: "Đặng Thị-Ánh" and "dang
 * thi anh" give the same three. A name that is written without spaces is one word.
 */
export function nameWords(name: string): string[] {
  const plain = (ASCII.test(name) ? name : latinBaseLetters(name)).toLowerCase();
  return [...new Set(plain.match(/[\p{L}\p{N}\p{M}]+/gu))].slice(0, WORDS_MAX);
}
