import { Button, Radio, Stack } from "@mantine/core";
import { dateText } from "../../base/dates.ts";
import { DateField } from "../../components/forms/date-field.tsx";
import { Choices } from "../../components/list-table/filter-bar.tsx";
import { FilterChip } from "../../components/list-table/filter-chip.tsx";
import { messages } from "./messages.ts";
import { NO_PERIOD, periodOf, PERIODS, periodSearch, type ReportsSearch } from "./search-params.ts";

const texts = messages.filters;

/** The period of the reports: a named one, a number of days, or a first and a last day. */
export function PeriodChip({
  search,
  onChange,
}: {
  readonly search: ReportsSearch;
  readonly onChange: (
    changed: Readonly<Record<keyof typeof NO_PERIOD, string | undefined>>,
  ) => void;
}) {
  const { from, to } = search;
  const chosen = periodOf(search);
  const words =
    chosen === null
      ? texts.fromTo(from === undefined ? "" : dateText(from), to === undefined ? "" : dateText(to))
      : texts.periods[chosen];
  return (
    <FilterChip label={texts.period} value={words} onClear={() => onChange(NO_PERIOD)}>
      {(close) => (
        <Stack gap="sm">
          <Radio.Group
            aria-label={texts.period}
            value={chosen ?? ""}
            onChange={(value) => onChange(periodSearch(value))}
          >
            <Choices>
              {PERIODS.map((each) => (
                <Radio key={each} size="xs" value={each} label={texts.periods[each]} />
              ))}
            </Choices>
          </Radio.Group>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              const typed = new FormData(event.currentTarget);
              const day = (name: string) => {
                const text = typed.get(name);
                return (typeof text === "string" && text.trim()) || undefined;
              };
              onChange({ ...NO_PERIOD, from: day("from"), to: day("to") });
              close();
            }}
          >
            <Stack gap="sm">
              <DateField label={texts.from} name="from" defaultValue={from ?? ""} />
              <DateField label={texts.to} name="to" defaultValue={to ?? ""} />
              <Button type="submit">{texts.apply}</Button>
            </Stack>
          </form>
        </Stack>
      )}
    </FilterChip>
  );
}
