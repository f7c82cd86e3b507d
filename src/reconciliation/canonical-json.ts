/** A value that a canonical document may contain. Numbers are whole. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/**
 * Writes a document in its only form: without spaces, and with the keys of each object in order, so
 * that equal documents have equal digests.
 *
 * @throws Error for a number that is not an exact whole number.
 */
export function canonicalJson(value: JsonValue): string {
  if (typeof value === "number" && !Number.isSafeInteger(value)) {
    throw new Error(`${value} is not a whole number`);
  }
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (isList(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const members = Object.entries(value)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join(",")}}`;
}

const isList = (value: object): value is readonly JsonValue[] => Array.isArray(value);
