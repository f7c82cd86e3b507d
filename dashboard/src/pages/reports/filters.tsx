import { FilterBar } from "../../components/list-table/filter-bar.tsx";
import { SelectChip } from "../../components/list-table/select-chip.tsx";
import { messages } from "./messages.ts";
import type { Results } from "./queries.ts";
import { PeriodChip } from "./period-chip.tsx";
import { reportsSearch, type ReportsSearch } from "./search-params.ts";

const texts = messages.filters;

/** The period of the reports, and their filters. */
export function ReportFilters({
  search,
  frame,
  onSearch,
}: {
  readonly search: ReportsSearch;
  /** The possible values. Undefined while they load. */
  readonly frame: Pick<Results, "lanes" | "zones"> | undefined;
  readonly onSearch: (search: ReportsSearch) => void;
}) {
  const change = (changed: { readonly [Name in keyof ReportsSearch]?: string | undefined }): void =>
    onSearch(reportsSearch({ ...search, ...changed }));
  const { lanes = [], zones = [] } = frame ?? {};
  const currencies = [...new Set(lanes.map((lane) => lane.slice(lane.lastIndexOf("/") + 1)))];
  const choices = (values: readonly string[], none: string) => [
    { value: "", label: none },
    ...values.map((value) => ({ value, label: value })),
  ];
  return (
    <FilterBar
      label={texts.label}
      onClear={Object.keys(search).length > 0 ? () => onSearch({}) : undefined}
    >
      <PeriodChip search={search} onChange={change} />
      <SelectChip
        label={texts.lane}
        value={search.lane}
        choices={choices(lanes, texts.all)}
        onChange={(lane) => change({ lane })}
      />
      <SelectChip
        label={texts.currency}
        value={search.currency}
        choices={choices(currencies.toSorted(), texts.all)}
        onChange={(currency) => change({ currency })}
      />
      {zones.length > 1 ? (
        <SelectChip
          label={texts.zone}
          value={search.zone}
          choices={choices(zones, texts.automatic)}
          onChange={(zone) => change({ zone })}
        />
      ) : null}
    </FilterBar>
  );
}
