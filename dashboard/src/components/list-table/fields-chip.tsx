import { Button, Stack, TextInput } from "@mantine/core";
import { dateText } from "../../base/dates.ts";
import { DateField } from "../forms/date-field.tsx";
import { FilterChip } from "./filter-chip.tsx";
import { messages } from "./messages.ts";

type Texts<Name extends string> = { readonly [Each in Name]?: string | undefined };

interface FieldsChipProps<Name extends string> {
  readonly label: string;
  readonly fields: readonly {
    readonly name: Name;
    readonly label: string;
    readonly hint?: string | undefined;
    readonly type?: "date";
  }[];
  readonly search: Texts<Name>;
  readonly onChange: (changed: Texts<Name>) => void;
  /** Returns the chosen values in words. By default, these are the values themselves. */
  readonly wordsOf?: (search: Texts<Name>) => string;
}

/** A filter by the values of text fields. */
export function FieldsChip<Name extends string>({
  label,
  fields,
  search,
  onChange,
  wordsOf: words = (chosen) => fields.flatMap(({ name }) => chosen[name] ?? []).join(" · "),
}: FieldsChipProps<Name>) {
  const changeTo = (textOf: (name: Name) => string | undefined): void =>
    onChange(Object.fromEntries(fields.map(({ name }) => [name, textOf(name)])) as Texts<Name>);
  return (
    <FilterChip
      label={label}
      value={words(search) || undefined}
      onClear={() => changeTo(() => undefined)}
    >
      {(close) => (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const typed = new FormData(event.currentTarget);
            changeTo((name) => {
              const text = typed.get(name);
              return (typeof text === "string" && text.trim()) || undefined;
            });
            close();
          }}
        >
          <Stack gap="sm">
            {fields.map(({ name, label: text, hint, type }) =>
              type === "date" ? (
                <DateField key={name} label={text} name={name} defaultValue={search[name] ?? ""} />
              ) : (
                <TextInput
                  key={name}
                  label={text}
                  name={name}
                  placeholder={hint}
                  autoComplete="off"
                  defaultValue={search[name]}
                />
              ),
            )}
            <Button type="submit">{messages.apply}</Button>
          </Stack>
        </form>
      )}
    </FilterChip>
  );
}

/** A filter by the days from `from` to `to`, in the reader's time zone: 2026-12-31. */
export const PeriodChip = (
  props: Pick<FieldsChipProps<"from" | "to">, "label" | "search" | "onChange">,
) => (
  <FieldsChip
    {...props}
    fields={[
      { name: "from", label: messages.from, type: "date" },
      { name: "to", label: messages.to, type: "date" },
    ]}
    wordsOf={({ from, to }) =>
      [from && messages.since(dateText(from)), to && messages.until(dateText(to))]
        .filter(Boolean)
        .join(" · ")
    }
  />
);
