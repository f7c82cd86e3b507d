/** The languages of the dashboard. A second one is one more catalogue in each `messages` file. */
type Language = "en";

const language: Language = "en";

/**
 * Returns the messages of one folder in the reader's language. All catalogues of a folder have the
 * same shape.
 */
export const inLanguage = <Messages>(catalogues: Readonly<Record<Language, Messages>>): Messages =>
  catalogues[language];

/** "1 batch", "1,204 batches". */
export const counted = (count: number, one: string, more: string): string =>
  `${count.toLocaleString()} ${count === 1 ? one : more}`;

/** "Chen Wei, Priya Raman or Asha Rao". */
export const listed = (names: readonly string[], joint: "and" | "or" = "or"): string => {
  const [last, ...others] = names.toReversed();
  return others.length === 0 ? (last ?? "") : `${others.toReversed().join(", ")} ${joint} ${last}`;
};
