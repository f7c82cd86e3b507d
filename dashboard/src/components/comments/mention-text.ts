/** A part of a comment: plain text, or the mention of a user. */
interface TextPart {
  readonly text: string;
  readonly isMention: boolean;
}

/** Splits a comment at its mentions: "@Chen Wei, see line 14" has two parts. */
export function partsOf(text: string, names: readonly string[]): readonly TextPart[] {
  if (names.length === 0) return [{ text, isMention: false }];
  const longestFirst = names.toSorted((left, right) => right.length - left.length);
  const pattern = new RegExp(`(@(?:${longestFirst.map(escaped).join("|")}))`, "giu");
  return text
    .split(pattern)
    .map((part, place) => ({ text: part, isMention: place % 2 === 1 }))
    .filter((part) => part.text !== "");
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** The unfinished mention before the cursor: where its "@" is, and the text after it. */
interface OpenMention {
  readonly start: number;
  readonly typed: string;
}

const TYPED_MAX = 40;

/** Returns the mention that is being typed at the cursor. Null: none. */
export function openMentionAt(text: string, cursor: number): OpenMention | null {
  const start = text.lastIndexOf("@", cursor - 1);
  if (start < 0 || /[\p{L}\p{N}]/u.test(text[start - 1] ?? "")) return null;
  const typed = text.slice(start + 1, cursor);
  return typed.length > TYPED_MAX || /[\n@,.;:!?]/.test(typed) ? null : { start, typed };
}

/** Returns the text in which the name replaces the unfinished mention, and the new cursor. */
export function withMention(
  text: string,
  { start, typed }: OpenMention,
  name: string,
): { readonly text: string; readonly cursor: number } {
  const before = `${text.slice(0, start)}@${name} `;
  return {
    text: before + text.slice(start + 1 + typed.length).trimStart(),
    cursor: before.length,
  };
}
