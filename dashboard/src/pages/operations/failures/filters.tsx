import { CheckboxChip } from "../../../components/list-table/checkbox-chip.tsx";
import { FieldsChip, PeriodChip } from "../../../components/list-table/fields-chip.tsx";
import { FilterBar } from "../../../components/list-table/filter-bar.tsx";
import { SelectChip } from "../../../components/list-table/select-chip.tsx";
import type { Answer } from "../../../server/client.ts";
import { PAYOUT_STATES } from "../../../base/state.ts";
import { messages } from "./list-messages.ts";
import { failureSearch, type FailureSearch, isFiltered } from "./search-params.ts";

const texts = messages.filters;

type Totals = Answer<"GET /api/failures">["totals"];
type State = Totals[number]["state"];

/** Returns the label of a state in the list of failures. Approved payouts in it are deferred. */
const failureStateLabel = (state: State): string =>
  state === "approved" ? texts.deferred : PAYOUT_STATES[state].word;

const STATES = ["declined", "on_hold", "in_doubt", "returned", "approved"] as const;

const ASSIGNMENTS = [
  { value: "", label: texts.any },
  { value: "me", label: texts.me },
  { value: "nobody", label: texts.nobody },
];

/** The filters of the list of failures, kept in the page address. */
export function FailureFilters({
  search,
  totals,
  onSearch,
}: {
  readonly search: FailureSearch;
  /** The payouts in each state that the other filters find. */
  readonly totals: Totals;
  readonly onSearch: (next: FailureSearch) => void;
}) {
  const change = (changed: { readonly [Name in keyof FailureSearch]?: unknown }): void =>
    onSearch(failureSearch({ ...search, ...changed }));
  return (
    <FilterBar
      label={messages.caption}
      onClear={isFiltered(search) ? () => onSearch({}) : undefined}
    >
      <CheckboxChip
        label={texts.state}
        value={search.state}
        choices={STATES.map((state) => ({
          value: state,
          label: failureStateLabel(state),
          count: totals.find((total) => total.state === state)?.count,
        }))}
        onChange={(state) => change({ state })}
      />
      <FieldsChip
        label={texts.currency}
        fields={[{ name: "currency", label: texts.currency, hint: texts.currencyHint }]}
        search={search}
        onChange={change}
      />
      <FieldsChip
        label={texts.batch}
        fields={[{ name: "batch", label: texts.batch }]}
        search={search}
        onChange={change}
      />
      <PeriodChip label={texts.changed} search={search} onChange={change} />
      <SelectChip
        label={texts.assignedTo}
        value={search.whose}
        choices={ASSIGNMENTS}
        onChange={(whose) => change({ whose })}
      />
    </FilterBar>
  );
}
