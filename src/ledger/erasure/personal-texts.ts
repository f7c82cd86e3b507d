/** Texts by which a person is found in comments, stored answers and saved searches. */
export interface PersonalTexts {
  /** Account numbers, addresses, phone numbers and user IDs. */
  readonly numbers: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
}

/** A shorter number occurs in other texts by chance. */
const NUMBER_LENGTH_MIN = 6;

/** Spaces and separators differ between a file and the account that payrun read in the file. */
export const plainNumber = (text: string): string =>
  text.replaceAll(/[\s.,'’-]/g, "").toLowerCase();

const plainName = (text: string): string =>
  ` ${
    text
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu)
      ?.join(" ") ?? ""
  } `;

/** Returns whether a text contains one of the person's numbers. */
export function hasNumber(text: string, { numbers }: PersonalTexts): boolean {
  const plain = plainNumber(text);
  return [...numbers].some((number) => {
    const wanted = plainNumber(number);
    return wanted.length >= NUMBER_LENGTH_MIN && plain.includes(wanted);
  });
}

/** Returns whether a text contains one of the person's complete names. */
export function hasName(text: string, { names }: PersonalTexts): boolean {
  const plain = plainName(text);
  return [...names].some((name) => {
    const wanted = plainName(name);
    return wanted.trim() !== "" && plain.includes(wanted);
  });
}
