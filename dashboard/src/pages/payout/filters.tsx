import { Button, Checkbox, TextInput } from "@mantine/core";
import { Search } from "lucide-react";
import { FilterChip } from "../../components/list-table/filter-chip.tsx";
import { formatAmount } from "../../base/money.ts";
import { PAYOUT_STATES } from "../../base/state.ts";
import { FieldsForm } from "./fields-form.tsx";
import classes from "./filters.module.css";
import type { PayoutSummary } from "./list-summary.tsx";
import { messages } from "./messages.ts";
import { FIELD_GROUPS, type FieldGroup, type PayoutSearch } from "./search-params.ts";
import { filtersOfText, textOfFilters, withoutText } from "./search-text.ts";

const texts = messages.filters;

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
  return (
    <search aria-label={messages.list.title} className={classes.filters}>
      <TextSearch key={textOfFilters(search)} search={search} onSearch={onSearch} />
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
            <FieldsForm
              fields={FIELD_GROUPS[group]}
              search={search}
              onSearch={(next) => {
                onSearch(next);
                close();
              }}
            />
          )}
        </FilterChip>
      ))}
      {Object.keys(search).some((name) => name !== "sort") ? (
        <Button variant="subtle" size="compact-xs" onClick={() => onSearch({})}>
          {texts.clearAll}
        </Button>
      ) : null}
    </search>
  );
}

function TextSearch({
  search,
  onSearch,
}: {
  readonly search: PayoutSearch;
  readonly onSearch: (search: PayoutSearch) => void;
}) {
  return (
    <form
      className={classes.text}
      onSubmit={(event) => {
        event.preventDefault();
        const text = new FormData(event.currentTarget).get("text");
        onSearch({
          ...withoutText(search),
          ...filtersOfText(typeof text === "string" ? text : ""),
        });
      }}
    >
      <TextInput
        name="text"
        type="search"
        size="sm"
        aria-label={texts.text}
        placeholder={texts.text}
        leftSection={<Search size={15} aria-hidden />}
        defaultValue={textOfFilters(search)}
        autoComplete="off"
      />
    </form>
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
      <div className={classes.choices}>
        {Object.entries(PAYOUT_STATES).map(([state, { word }]) => (
          <div key={state} className={classes.choice}>
            <Checkbox size="xs" value={state} label={word} />
            <span className="tabular">{counts.get(state as never)?.toLocaleString() ?? ""}</span>
          </div>
        ))}
      </div>
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
