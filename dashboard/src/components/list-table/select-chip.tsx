import { NativeSelect } from "@mantine/core";
import { type ChoiceChipProps, wordsOf } from "./choice.ts";
import { FilterChip } from "./filter-chip.tsx";

/** A filter by one of many values. The choice with the empty value removes the filter. */
export const SelectChip = ({ label, value, choices, onChange }: ChoiceChipProps) => (
  <FilterChip label={label} value={wordsOf(choices, value)} onClear={() => onChange(undefined)}>
    {(close) => (
      <NativeSelect
        label={label}
        value={value ?? ""}
        data={choices.map((choice) => ({ value: choice.value, label: choice.label }))}
        onChange={({ currentTarget }) => {
          onChange(currentTarget.value || undefined);
          close();
        }}
      />
    )}
  </FilterChip>
);
