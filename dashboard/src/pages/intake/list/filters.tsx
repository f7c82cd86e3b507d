import { LISTED_BATCH_STATES } from "../../../base/state.ts";
import { CheckboxChip } from "../../../components/list-table/checkbox-chip.tsx";
import { FieldsChip, PeriodChip } from "../../../components/list-table/fields-chip.tsx";
import { FilterBar } from "../../../components/list-table/filter-bar.tsx";
import type { SearchChange } from "../../../components/list-table/list-column.ts";
import { RadioChip } from "../../../components/list-table/radio-chip.tsx";
import type { Answer } from "../../../server/client.ts";
import { messages } from "./list-messages.ts";
import { batchesSearch, type BatchesSearch, filterCount } from "./search-params.ts";

const texts = messages.filters;

const TASKS = Object.entries(texts.tasks).map(([value, label]) => ({ value, label }));

/** The search field and the filter chips of the list of batches. */
export function BatchFilters({
  search,
  states,
  onSearch,
}: {
  readonly search: BatchesSearch;
  /** The batches that the other filters find, by state. Undefined while they load. */
  readonly states: Answer<"GET /api/batch-summary">["states"] | undefined;
  readonly onSearch: (search: BatchesSearch, how?: SearchChange) => void;
}) {
  const change = (
    changed: { readonly [Name in keyof BatchesSearch]?: unknown },
    how?: SearchChange,
  ): void => onSearch(batchesSearch({ ...search, ...changed }), how);
  const counts = new Map<string, number>(states?.map(({ state, batches }) => [state, batches]));
  return (
    <FilterBar
      label={texts.form}
      text={{
        label: texts.text,
        value: search.text ?? "",
        onChange: (text, how) => change({ text }, how),
      }}
      onClear={filterCount(search) > 0 ? () => onSearch({}) : undefined}
    >
      <CheckboxChip
        label={texts.state}
        value={search.state}
        choices={Object.entries(LISTED_BATCH_STATES).map(([state, { word }]) => ({
          value: state,
          label: word,
          count: counts.get(state),
        }))}
        onChange={(state) => change({ state })}
      />
      <RadioChip
        label={texts.task}
        value={search.task}
        choices={[{ value: "", label: texts.anyTask }, ...TASKS]}
        onChange={(task) => change({ task })}
      />
      <FieldsChip
        label={texts.uploadedBy}
        fields={[{ name: "maker", label: texts.uploadedBy, hint: texts.uploadedByHint }]}
        search={search}
        onChange={change}
      />
      <PeriodChip label={texts.uploaded} search={search} onChange={change} />
    </FilterBar>
  );
}
