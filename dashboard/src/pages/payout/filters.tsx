import { lazy, type ReactNode, Suspense } from "react";
import { CheckboxChip } from "../../components/list-table/checkbox-chip.tsx";
import { FilterBar } from "../../components/list-table/filter-bar.tsx";
import { FilterChip } from "../../components/list-table/filter-chip.tsx";
import type { SearchChange } from "../../components/list-table/list-column.ts";
import { SelectChip } from "../../components/list-table/select-chip.tsx";
import { Loading } from "../../components/loading.tsx";
import { LISTED_PAYOUT_STATES } from "../../base/state.ts";
import { valueOf } from "./chip-values.ts";
import { messages } from "./messages.ts";
import type { PayoutSummary } from "./payout-query.ts";
import {
  type Field,
  FIELD_GROUPS,
  type FieldGroup,
  filterCount,
  MORE_GROUPS,
  type PayoutSearch,
  payoutSearch,
} from "./search-params.ts";

const texts = messages.filters;

/** Loaded when a chip is opened. */
const FieldsForm = lazy(async () => ({ default: (await import("./fields-form.tsx")).FieldsForm }));

const GROUPS: Readonly<Record<FieldGroup, readonly Field[]>> = { ...FIELD_GROUPS, ...MORE_GROUPS };

const RETRY_RESULTS = [
  { value: "", label: texts.retryResult.any },
  { value: "none", label: texts.retryResult.none },
  { value: "paid", label: texts.retryResult.paid },
];

const isSet = (search: PayoutSearch, group: FieldGroup): boolean =>
  GROUPS[group].some(({ name }) => search[name] !== undefined);

/** One character of these scripts is a family name. */
const IDEOGRAPHIC = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** The server finds a name by its whole parts, or by beginnings of at least three characters. */
const beginningMin = (text: string): number => (IDEOGRAPHIC.test(text) ? 1 : 3);

/** The payouts that the other filters find, by state. The API counts blocked ones as awaiting. */
function countsOf(summary: PayoutSummary | undefined): ReadonlyMap<string, number> {
  if (summary === undefined) return new Map();
  const { states, blocked } = summary;
  const counts = new Map<string, number>(states.map(({ state, payouts }) => [state, payouts]));
  const awaiting = counts.get("awaiting_approval");
  if (awaiting === undefined || !blocked) return counts;
  return counts.set("blocked", blocked).set("awaiting_approval", awaiting - blocked);
}

/**
 * The page address holds every filter, so that people can save and share a list. An account number
 * is encrypted there.
 */
export function PayoutFilters({
  search,
  summary,
  onSearch,
  without = [],
  children,
}: {
  readonly search: PayoutSearch;
  readonly summary: PayoutSummary | undefined;
  readonly onSearch: (search: PayoutSearch, change?: SearchChange) => void;
  /** The filters that this list does not have. */
  readonly without?: readonly FieldGroup[];
  /** Other chips, which follow the one for the state. */
  readonly children?: ReactNode;
}) {
  const counts = countsOf(summary);
  const groupsOf = <Group extends FieldGroup>(groups: Readonly<Record<Group, unknown>>) =>
    (Object.keys(groups) as Group[]).filter((group) => !without.includes(group));
  const more = groupsOf(MORE_GROUPS);
  const shown: readonly FieldGroup[] = [
    ...groupsOf(FIELD_GROUPS),
    ...more.filter((group) => isSet(search, group)),
  ];
  return (
    <FilterBar
      label={messages.list.title}
      text={{
        label: texts.text,
        value: search.text ?? "",
        shortest: beginningMin,
        onChange: (text, change) => onSearch(payoutSearch({ ...search, text }), change),
      }}
      onClear={filterCount(search) > 0 ? () => onSearch({}) : undefined}
    >
      <CheckboxChip
        label={texts.state}
        value={search.state}
        choices={Object.entries(LISTED_PAYOUT_STATES).map(([state, { word }]) => ({
          value: state,
          label: word,
          count: counts.get(state),
        }))}
        onChange={(state) => onSearch(payoutSearch({ ...search, state }))}
      />
      <RetryResultChip search={search} onSearch={onSearch} />
      {children}
      {shown.map((group) => (
        <FieldsChip
          key={group}
          label={texts.groups[group]}
          value={valueOf(GROUPS[group], search)}
          fields={GROUPS[group]}
          search={search}
          onSearch={onSearch}
        />
      ))}
      <FieldsChip
        label={texts.more}
        value={undefined}
        fields={more.flatMap((group) => GROUPS[group])}
        search={search}
        onSearch={onSearch}
      />
    </FilterBar>
  );
}

/** Shown while the list is filtered by the result of retries: links from counts set this filter. */
const RetryResultChip = ({
  search,
  onSearch,
}: {
  readonly search: PayoutSearch;
  readonly onSearch: (search: PayoutSearch) => void;
}) =>
  search.retry_result === undefined ? null : (
    <SelectChip
      label={texts.retryResult.label}
      value={search.retry_result}
      choices={RETRY_RESULTS}
      onChange={(result) => onSearch(payoutSearch({ ...search, retry_result: result }))}
    />
  );

function FieldsChip({
  label,
  value,
  fields,
  search,
  onSearch,
}: {
  readonly label: string;
  readonly value: string | undefined;
  readonly fields: readonly Field[];
  readonly search: PayoutSearch;
  readonly onSearch: (search: PayoutSearch) => void;
}) {
  const clear = (): void =>
    onSearch(
      payoutSearch({ ...search, ...Object.fromEntries(fields.map(({ name }) => [name, ""])) }),
    );
  return (
    <FilterChip label={label} value={value} onClear={clear}>
      {(close) => (
        <Suspense fallback={<Loading lines={2} />}>
          <FieldsForm
            fields={fields}
            search={search}
            onSearch={(next) => {
              onSearch(next);
              close();
            }}
          />
        </Suspense>
      )}
    </FilterChip>
  );
}
