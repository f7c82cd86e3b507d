/** A value of a filter, with the number of rows it finds if that is known. */
export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly count?: number | undefined;
}

/** A filter chip with choices. */
export interface ChoiceChipProps {
  readonly label: string;
  /** Undefined: the list is not filtered. */
  readonly value: string | undefined;
  readonly choices: readonly Choice[];
  readonly onChange: (value: string | undefined) => void;
}

/** Returns the labels of the chosen values; undefined if there are none. */
export const wordsOf = (
  choices: readonly Choice[],
  value: string | undefined,
): string | undefined =>
  value
    ?.split(",")
    .map((each) => choices.find((choice) => choice.value === each)?.label ?? each)
    .join(", ");
