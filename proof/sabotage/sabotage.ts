/** One deliberate mistake in the product. The proof must catch a build that has it. */
export interface Sabotage {
  /** The mistake, as a developer would make it. */
  readonly name: string;
  /** The invariant it breaks. */
  readonly breaks: string;
  /** `drill`: tests over a real database. */
  readonly caughtBy: "simulation" | "chaos" | "drill";
  /** For a scenario test: its file in test/. */
  readonly tests?: string;
  /** For a chaos campaign, when the mistake needs a larger one to occur. */
  readonly size?: Readonly<Record<string, string>>;
  readonly edits: readonly Edit[];
}

export interface Edit {
  /** From the root. */
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly find: string;
  readonly replace: string;
}

/**
 * The file with its mistake. @throws Error when the place is missing or not unique: the product has
 * changed.
 */
export function sabotaged(text: string, { file, find, replace }: Edit): string {
  const places = text.split(find).length - 1;
  if (places !== 1) {
    throw new Error(
      `${file} has ${places} places like this, and a sabotage needs exactly one:\n${find}`,
    );
  }
  return text.replace(find, () => replace);
}
