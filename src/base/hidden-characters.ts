/**
 * Characters that are invisible on a page: direction and width marks, line breaks, lone surrogates,
 * unassigned characters, and everything that Unicode allows programs to render as nothing, such as
 * the Hangul filler. The Braille blank is included, because it is not a space.
 */
export const HIDDEN =
  /[\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** ZWNJ and ZWJ after a letter of a script whose correct spelling needs them. */
const JOINER =
  /(?<=[\p{Script=Arabic}\p{Script=Bengali}\p{Script=Devanagari}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Myanmar}\p{Script=Oriya}\p{Script=Sinhala}\p{Script=Tamil}\p{Script=Telugu}])[\u200c\u200d]/gu;

interface Hidden {
  /** The character in Unicode notation, such as U+200B. */
  readonly character: string;
  /** Position of the character in the text, starting at 1. */
  readonly position: number;
  /** True: it belongs to the spelling, and so does every other hidden character of the text. */
  readonly isJoiner: boolean;
}

/**
 * Returns the first invisible character of a text. Those that belong to the spelling are returned
 * only if there is no other. Null: there is none.
 */
export function findHiddenCharacter(text: string): Hidden | null {
  const mistake = HIDDEN.exec(text.replace(JOINER, "-"));
  const found = mistake ?? HIDDEN.exec(text);
  if (!found) return null;
  const code = (found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  const position = Array.from(text.slice(0, found.index)).length + 1;
  return { character: `U+${code}`, position, isJoiner: mistake === null };
}
