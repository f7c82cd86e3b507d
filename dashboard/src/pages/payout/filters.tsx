import { lazy, Suspense } from "react";
import { CheckboxChip } from "../../components/list-table/checkbox-chip.tsx";
import { FilterBar } from "../../components/list-table/filter-bar.tsx";
import { FilterChip } from "../../components/list-table/filter-chip.tsx";
import { Loading } from "../../components/loading.tsx";
import { formatAmount } from "../../base/money.ts";
import { PAYOUT_STATES } from "../../base/state.ts";
import { messages } from "./messages.ts";
import type { PayoutSummary } from "./payout-query.ts";
import { FIELD_GROUPS, type FieldGroup, type PayoutSearch, payoutSearch } from "./search-params.ts";
import { filtersOfText, textOfFilters, withoutText } from "./search-text.ts";

const texts = messages.filters;

/** Loaded when a chip is opened. */
const FieldsForm = lazy(async () => ({ default: (await import("./fields-form.tsx")).FieldsForm }));

/**
 * The page address holds every filter, so that people can save and share a list. An account number
 * is encrypted there.
 */
export function PayoutFilters({
  search,
  summary,
  onSearch,
}: {
  readonly search: PayoutSearch;
  readonly summary: PayoutSummary | undefined;
  readonly onSearch: (search: PayoutSearch) => void;
}) {
  const clear = (names: readonly string[]): void =>
    onSearch(Object.fromEntries(Object.entries(search).filter(([name]) => !names.includes(name))));
  // The payouts that the other filters find.
  const counts = new Map<string, number>(
    summary?.states.map(({ state, payouts }) => [state, payouts]),
  );
  const isFiltered = Object.keys(search).some((name) => name !== "sort");
  return (
    <FilterBar
      label={messages.list.title}
      text={{
        label: texts.text,
        value: textOfFilters(search),
        onChange: (text) => onSearch({ ...withoutText(search), ...filtersOfText(text) }),
      }}
      onClear={isFiltered ? () => onSearch({}) : undefined}
    >
      <CheckboxChip
        label={texts.state}
        value={search.state}
        choices={Object.entries(PAYOUT_STATES).map(([state, { word }]) => ({
          value: state,
          label: word,
          count: counts.get(state),
        }))}
        onChange={(state) => onSearch(payoutSearch({ ...search, state }))}
      />
      {(Object.keys(FIELD_GROUPS) as FieldGroup[]).map((group) => (
        <FilterChip
          key={group}
          label={texts.groups[group]}
          value={valueOf(group, search)}
          onClear={() => clear(FIELD_GROUPS[group].map(({ name }) => name))}
        >
          {(close) => (
            <Suspense fallback={<Loading lines={2} />}>
              <FieldsForm
                fields={FIELD_GROUPS[group]}
                search={search}
                onSearch={(next) => {
                  onSearch(next);
                  close();
                }}
              />
            </Suspense>
          )}
        </FilterChip>
      ))}
    </FilterBar>
  );
}

/** The chosen values of a group in words; undefined if no field of it is set. */
function valueOf(group: FieldGroup, search: PayoutSearch): string | undefined {
  const values = FIELD_GROUPS[group].flatMap(({ name, type }) => {
    const value = search[name];
    if (value === undefined) return [];
    if (name === "account") return [texts.accountIsSet];
    if (type) return [`${texts.fields[name].label} ${new Date(value).toLocaleString()}`];
    if (name === "amount_from") return [`≥ ${formatAmount(value)}`];
    if (name === "amount_to") return [`≤ ${formatAmount(value)}`];
    return [value];
  });
  return values.length === 0 ? undefined : values.join(" · ");
}
