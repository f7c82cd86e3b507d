import { Checkbox } from "@mantine/core";
import { lazy, Suspense } from "react";
import { Choices, CountedChoice, FilterBar } from "../../components/list-table/filter-bar.tsx";
import { FilterChip } from "../../components/list-table/filter-chip.tsx";
import { Loading } from "../../components/loading.tsx";
import { formatAmount } from "../../base/money.ts";
import { PAYOUT_STATES } from "../../base/state.ts";
import { messages } from "./messages.ts";
import type { PayoutSummary } from "./payout-query.ts";
import { FIELD_GROUPS, type FieldGroup, type PayoutSearch } from "./search-params.ts";
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
  const isFiltered = Object.keys(search).some((name) => name !== "sort");
  return (
    <FilterBar
      label={messages.list.title}
      textLabel={texts.text}
      text={textOfFilters(search)}
      onText={(text) => onSearch({ ...withoutText(search), ...filtersOfText(text) })}
      onClear={isFiltered ? () => onSearch({}) : undefined}
    >
      <FilterChip
        label={texts.state}
        value={search.state?.split(",").map(stateWord).join(", ")}
        onClear={() => clear(["state"])}
      >
        {() => <StateChoices search={search} summary={summary} onSearch={onSearch} />}
      </FilterChip>
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

/** The states with the number of payouts that the other filters find. */
function StateChoices({
  search,
  summary,
  onSearch,
}: {
  readonly search: PayoutSearch;
  readonly summary: PayoutSummary | undefined;
  readonly onSearch: (search: PayoutSearch) => void;
}) {
  const { state: chosen, ...others } = search;
  const counts = new Map(summary?.states.map(({ state, payouts }) => [state, payouts]));
  return (
    <Checkbox.Group
      aria-label={texts.state}
      value={chosen?.split(",") ?? []}
      onChange={(states) =>
        onSearch(states.length === 0 ? others : { ...others, state: states.join(",") })
      }
    >
      <Choices>
        {Object.entries(PAYOUT_STATES).map(([state, { word }]) => (
          <CountedChoice key={state} count={counts.get(state as never)}>
            <Checkbox size="xs" value={state} label={word} />
          </CountedChoice>
        ))}
      </Choices>
    </Checkbox.Group>
  );
}

const stateWord = (state: string): string =>
  PAYOUT_STATES[state as keyof typeof PAYOUT_STATES]?.word ?? state;

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
