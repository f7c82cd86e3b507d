import { Checkbox } from "@mantine/core";
import { type ChoiceChipProps, wordsOf } from "./choice.ts";
import { Choices, CountedChoice } from "./filter-bar.tsx";
import { FilterChip } from "./filter-chip.tsx";

/** A filter by one or more values, which are joined by commas. */
export const CheckboxChip = ({ label, value, choices, onChange }: ChoiceChipProps) => (
  <FilterChip label={label} value={wordsOf(choices, value)} onClear={() => onChange(undefined)}>
    {() => (
      <Checkbox.Group
        aria-label={label}
        value={value?.split(",") ?? []}
        onChange={(values) => onChange(values.join(",") || undefined)}
      >
        <Choices>
          {choices.map((choice) => (
            <CountedChoice key={choice.value} count={choice.count}>
              <Checkbox size="xs" value={choice.value} label={choice.label} />
            </CountedChoice>
          ))}
        </Choices>
      </Checkbox.Group>
    )}
  </FilterChip>
);
