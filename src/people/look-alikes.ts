import unhomoglyph from "unhomoglyph";

/** A person as others see them on approvals and in the audit log. */
export interface Named {
  readonly name: string;
  readonly email: string;
}

const IGNORED = /\p{Default_Ignorable_Code_Point}/gu;

/** The skeleton of UTS #39: two texts with the same skeleton look alike. */
const skeleton = (text: string): string =>
  unhomoglyph(text.normalize("NFD").replace(IGNORED, "")).normalize("NFD");

/**
 * Returns the forms of a text. Two texts look alike if one of the forms is the same: as written,
 * where I looks like l, or in lower case, where "ANNA" equals "Anna". Compatibility forms, such as
 * full-width letters, and the width of spaces make no difference.
 */
function formsOf(text: string): readonly string[] {
  const plain = text.normalize("NFKC").replace(/\s+/gu, " ").trim();
  return [skeleton(plain).toLowerCase(), skeleton(plain.toLowerCase())];
}

/** Returns whether a reader could take one text for the other. */
export function looksAlike(one: string, other: string): boolean {
  const forms = formsOf(other);
  return formsOf(one).some((form, at) => form === forms[at]);
}

/** Returns the pairs of people whose names or e-mail addresses look alike. */
export function lookAlikesAmong<Person extends Named>(
  people: readonly Person[],
): (readonly [Person, Person])[] {
  const seen = new Map<string, Person>();
  const pairs = new Map<string, readonly [Person, Person]>();
  for (const person of people) {
    for (const kind of ["name", "email"] as const) {
      for (const [at, form] of formsOf(person[kind]).entries()) {
        const key = `${kind} ${at} ${form}`;
        const other = seen.get(key);
        if (!other) seen.set(key, person);
        else if (other !== person) pairs.set(`${other.email} ${person.email}`, [other, person]);
      }
    }
  }
  return [...pairs.values()];
}
