import { dateText } from "../../base/dates.ts";
import { FieldsChip } from "../../components/list-table/fields-chip.tsx";
import { FilterBar } from "../../components/list-table/filter-bar.tsx";
import { RadioChip } from "../../components/list-table/radio-chip.tsx";
import { SelectChip } from "../../components/list-table/select-chip.tsx";
import { useLaneName } from "../../components/payout/lane-name.tsx";
import type { Answer } from "../../server/client.ts";
import { messages } from "./messages.ts";
import { useLanes } from "./use-lanes.ts";
import { type BreakSearch, breakSearch } from "./search-params.ts";

const texts = messages.filters;

/** The filter chips of the list of breaks. */
export function BreakFilters({
  search,
  counts,
  onSearch,
}: {
  readonly search: BreakSearch;
  /** The breaks of the other filters by class. Undefined while they load. */
  readonly counts: Answer<"GET /api/breaks">["counts"] | undefined;
  readonly onSearch: (search: BreakSearch) => void;
}) {
  const change = (changed: { readonly [Name in keyof BreakSearch]?: unknown }): void =>
    onSearch(breakSearch({ ...search, ...changed }));
  const lanes = useLanes();
  const laneName = useLaneName();
  const countOf = new Map<string, number>(counts?.map((each) => [each.class, each.count]));
  return (
    <FilterBar
      label={messages.caption}
      onClear={Object.keys(search).length > 0 ? () => onSearch({}) : undefined}
    >
      <RadioChip
        label={texts.class}
        value={search.class}
        choices={[
          { value: "", label: texts.all },
          ...Object.entries(messages.classes).map(([value, label]) => ({
            value,
            label,
            count: countOf.get(value),
          })),
        ]}
        onChange={(value) => change({ class: value })}
      />
      <RadioChip
        label={texts.state}
        value={search.state}
        choices={[
          { value: "", label: texts.unresolved },
          ...Object.entries(messages.states).map(([value, label]) => ({ value, label })),
        ]}
        onChange={(state) => change({ state })}
      />
      <SelectChip
        label={texts.lane}
        value={search.lane}
        choices={[
          { value: "", label: texts.all },
          ...lanes.map((lane) => ({ value: lane, label: laneName(lane) })),
        ]}
        onChange={(lane) => change({ lane })}
      />
      <FieldsChip
        label={texts.day}
        fields={[{ name: "day", label: texts.day, type: "date" }]}
        search={search}
        onChange={change}
        wordsOf={({ day }) => (day === undefined ? "" : dateText(day))}
      />
    </FilterBar>
  );
}
