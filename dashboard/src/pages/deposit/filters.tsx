import { DEPOSIT_STATES } from "../../base/deposit-state.ts";
import { CheckboxChip } from "../../components/list-table/checkbox-chip.tsx";
import { FieldsChip, PeriodChip } from "../../components/list-table/fields-chip.tsx";
import { FilterBar } from "../../components/list-table/filter-bar.tsx";
import type { SearchChange } from "../../components/list-table/list-column.ts";
import type { Answer } from "../../server/client.ts";
import { messages } from "./list-messages.ts";
import { type DepositSearch, depositSearch, isFiltered } from "./search-params.ts";

const texts = messages.filters;

/** The search field and the filter chips of the list of deposits. */
export function DepositFilters({
  search,
  states,
  onSearch,
}: {
  readonly search: DepositSearch;
  /** The deposits that the other filters find, by state. Undefined while they load. */
  readonly states: Answer<"GET /api/deposit-summary">["states"] | undefined;
  readonly onSearch: (search: DepositSearch, how?: SearchChange) => void;
}) {
  const change = (
    changed: { readonly [Name in keyof DepositSearch]?: unknown },
    how?: SearchChange,
  ): void => onSearch(depositSearch({ ...search, ...changed }), how);
  const counts = new Map<string, number>(states?.map(({ state, deposits }) => [state, deposits]));
  return (
    <FilterBar
      label={messages.caption}
      text={{
        label: texts.text,
        value: search.code ?? "",
        onChange: (code, how) => change({ code }, how),
      }}
      onClear={isFiltered(search) ? () => onSearch({}) : undefined}
    >
      <CheckboxChip
        label={texts.state}
        value={search.state}
        choices={Object.entries(DEPOSIT_STATES).map(([state, { word }]) => ({
          value: state,
          label: word,
          count: counts.get(state),
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
        label={texts.payer}
        fields={[{ name: "user_id", label: texts.payer, hint: texts.inFull }]}
        search={search}
        onChange={change}
      />
      <FieldsChip
        label={texts.reference}
        fields={[
          { name: "reference", label: texts.reference, hint: texts.inFull },
          { name: "gateway_number", label: texts.gatewayNumber, hint: texts.gatewayNumberHint },
        ]}
        search={search}
        onChange={change}
      />
      <PeriodChip label={texts.requested} search={search} onChange={change} />
    </FilterBar>
  );
}
