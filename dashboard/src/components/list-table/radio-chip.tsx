import { Radio } from "@mantine/core";
import { type ChoiceChipProps, wordsOf } from "./choice.ts";
import { Choices, CountedChoice } from "./filter-bar.tsx";
import { FilterChip } from "./filter-chip.tsx";

/** A filter by one value. The choice with the empty value removes the filter. */
export const RadioChip = ({ label, value, choices, onChange }: ChoiceChipProps) => (
  <FilterChip label={label} value={wordsOf(choices, value)} onClear={() => onChange(undefined)}>
    {() => (
      <Radio.Group
        aria-label={label}
        value={value ?? ""}
        onChange={(chosen) => onChange(chosen || undefined)}
      >
        <Choices>
          {choices.map((choice) => (
            <CountedChoice key={choice.value} count={choice.count}>
              <Radio size="xs" value={choice.value} label={choice.label} />
            </CountedChoice>
          ))}
        </Choices>
      </Radio.Group>
    )}
  </FilterChip>
);
