/**
 * What nobody sees on a page: marks of direction and width, breaks, halves of characters, what is no character, and
 * whatever Unicode lets a program show as nothing, such as the Hangul filler. The blank of Braille is no blank.
 */
export const HIDDEN =
  /[\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** ZWNJ and ZWJ behind a letter of a script whose right spelling needs them. */
const JOINER =
  /(?<=[\p{Script=Arabic}\p{Script=Bengali}\p{Script=Devanagari}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Myanmar}\p{Script=Oriya}\p{Script=Sinhala}\p{Script=Tamil}\p{Script=Telugu}])[\u200c\u200d]/gu;

interface Hidden {
  /** As Unicode writes it: U+200B. */
  readonly character: string;
  /** Which of the text's characters it is, from 1. */
  readonly position: number;
  /** It belongs to the spelling, and so does every other hidden character of the text. */
  readonly isJoiner: boolean;
}

/** The first character of a text that cannot be seen, those last that belong to the spelling. */
export function hiddenIn(text: string): Hidden | null {
  const mistake = HIDDEN.exec(text.replace(JOINER, "-"));
  const found = mistake ?? HIDDEN.exec(text);
  if (!found) return null;
  const code = (found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  const position = Array.from(text.slice(0, found.index)).length + 1;
  return { character: `U+${code}`, position, isJoiner: mistake === null };
}
