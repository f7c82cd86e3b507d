/** Matches the form in which JSON.stringify writes a NUL or half of a surrogate pair. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/;

/**
 * Serialises a value without NUL or half of a surrogate pair, which PostgreSQL cannot store. Texts
 * of the gateway may contain either, also where they were cut, and such a text would fail the
 * outcomes of the whole group.
 */
export function storableJson(value: unknown): string {
  const text = JSON.stringify(value);
  if (!UNSTORABLE.test(text)) return text;
  return JSON.stringify(value, (_name, part: unknown) =>
    typeof part === "string" ? part.replaceAll("\u0000", "\ufffd").toWellFormed() : part,
  );
}
