import { Button, Radio, Stack, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { LISTED_BATCH_STATES } from "../../../base/state.ts";
import { Choices, CountedChoice, FilterBar } from "../../../components/list-table/filter-bar.tsx";
import { FilterChip } from "../../../components/list-table/filter-chip.tsx";
import type { Answer } from "../../../server/client.ts";
import { messages } from "./list-messages.ts";
import { batchesSearch, type BatchesSearch, isFiltered } from "./search-params.ts";

const texts = messages.filters;

interface FiltersProps {
  readonly search: BatchesSearch;
  /** The batches that the other filters find, by state. Undefined while they load. */
  readonly states: Answer<"GET /api/batch-summary">["states"] | undefined;
  readonly onSearch: (search: BatchesSearch) => void;
}

/** The search field and the filter chips of the list of batches. */
export function BatchFilters({ search, states, onSearch }: FiltersProps) {
  const change = (changed: { readonly [Name in keyof BatchesSearch]?: unknown }): void =>
    onSearch(batchesSearch({ ...search, ...changed }));
  return (
    <FilterBar
      label={texts.form}
      textLabel={texts.text}
      text={search.text ?? ""}
      onText={(text) => change({ text })}
      onClear={isFiltered(search) ? () => onSearch({}) : undefined}
    >
      <FilterChip
        label={texts.state}
        value={search.state && LISTED_BATCH_STATES[search.state]?.word}
        onClear={() => change({ state: undefined })}
      >
        {() => (
          <StateChoices
            chosen={search.state}
            states={states}
            onChoose={(state) => change({ state })}
          />
        )}
      </FilterChip>
      <FilterChip
        label={texts.uploadedBy}
        value={search.maker}
        onClear={() => change({ maker: undefined })}
      >
        {(close) => (
          <Fields onApply={change} close={close}>
            <TextInput
              name="maker"
              label={texts.uploadedBy}
              placeholder={texts.uploadedByHint}
              defaultValue={search.maker}
            />
          </Fields>
        )}
      </FilterChip>
      <FilterChip
        label={texts.uploaded}
        value={periodText(search)}
        onClear={() => change({ from: undefined, to: undefined })}
      >
        {(close) => (
          <Fields onApply={change} close={close}>
            <TextInput name="from" type="date" label={texts.from} defaultValue={search.from} />
            <TextInput name="to" type="date" label={texts.to} defaultValue={search.to} />
          </Fields>
        )}
      </FilterChip>
    </FilterBar>
  );
}

/** The states with the number of batches that the other filters find. */
function StateChoices({
  chosen,
  states,
  onChoose,
}: {
  readonly chosen: BatchesSearch["state"];
  readonly states: FiltersProps["states"];
  readonly onChoose: (state: string) => void;
}) {
  const counts = new Map<string, number>(states?.map(({ state, batches }) => [state, batches]));
  const all = states?.reduce((sum, { batches }) => sum + batches, 0);
  return (
    <Radio.Group aria-label={texts.state} value={chosen ?? ""} onChange={onChoose}>
      <Choices>
        <CountedChoice count={all}>
          <Radio size="xs" value="" label={texts.anyState} />
        </CountedChoice>
        {Object.entries(LISTED_BATCH_STATES).map(([state, { word }]) => (
          <CountedChoice key={state} count={counts.get(state)}>
            <Radio size="xs" value={state} label={word} />
          </CountedChoice>
        ))}
      </Choices>
    </Radio.Group>
  );
}

/** The text fields of a filter chip, and the button that applies them. */
const Fields = ({
  onApply,
  close,
  children,
}: {
  readonly onApply: (values: Record<string, unknown>) => void;
  readonly close: () => void;
  readonly children: ReactNode;
}) => (
  <form
    onSubmit={(event) => {
      event.preventDefault();
      onApply(Object.fromEntries(new FormData(event.currentTarget)));
      close();
    }}
  >
    <Stack gap="sm">
      {children}
      <Button type="submit">{texts.apply}</Button>
    </Stack>
  </form>
);

/** The upload period in words; undefined if there is none. */
function periodText({ from, to }: BatchesSearch): string | undefined {
  const parts = [from && texts.since(dayText(from)), to && texts.until(dayText(to))];
  return parts.filter(Boolean).join(" · ") || undefined;
}

/** A day in the reader's format. Text that is not a day is returned unchanged. */
function dayText(day: string): string {
  const date = new Date(`${day}T00:00`);
  return Number.isNaN(date.getTime()) ? day : date.toLocaleDateString();
}
