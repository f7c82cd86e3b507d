/** One deliberate mistake in the product: a build that has it must be caught by the proof. */
export interface Sabotage {
  /** The mistake, as somebody would make it. */
  readonly name: string;
  /** Which promise it breaks. */
  readonly breaks: string;
  /** `drill`: tests over a real database. */
  readonly caughtBy: "simulation" | "chaos" | "drill";
  /** Of a drill: its file in test/. */
  readonly tests?: string;
  /** Of a chaos campaign, where it needs more than others to happen at all. */
  readonly size?: Readonly<Record<string, string>>;
  readonly edits: readonly Edit[];
}

export interface Edit {
  /** From the root. */
  readonly file: string;
  /** Stands exactly once in the file. */
  readonly find: string;
  readonly replace: string;
}

/** The file with its mistake. @throws Error when the place is not there, or not the only one: the product has changed. */
export function sabotaged(text: string, { file, find, replace }: Edit): string {
  const places = text.split(find).length - 1;
  if (places !== 1) {
    throw new Error(`${file} has ${places} places like this, and a sabotage needs one:\n${find}`);
  }
  return text.replace(find, () => replace);
}
