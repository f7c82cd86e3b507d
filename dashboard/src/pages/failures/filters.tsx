import { Button, Group, NativeSelect, TextInput } from "@mantine/core";
import type { FormEvent } from "react";
import type { Answer } from "../../client.ts";
import { PAYOUT_STATES } from "../../state.ts";
import { failureSearch, type FailureSearch } from "./search.ts";

type State = Answer<"GET /api/failures">["totals"][number]["state"];

export const wordOf = (state: State): string =>
  state === "approved" ? "put off" : PAYOUT_STATES[state].word;

const STATES = [
  { value: "", label: "any" },
  ...(["declined", "held", "in_doubt", "returned", "approved"] as const).map((state) => ({
    value: state,
    label: wordOf(state),
  })),
];

const WHOSE = [
  { value: "", label: "anybody" },
  { value: "me", label: "me" },
  { value: "nobody", label: "nobody" },
];

export function Filters({
  search,
  onFilter,
}: {
  readonly search: FailureSearch;
  readonly onFilter: (next: FailureSearch) => void;
}) {
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onFilter(failureSearch(Object.fromEntries(new FormData(event.currentTarget))));
  };
  return (
    <search aria-label="Failures">
      <form onSubmit={submit}>
        <Group align="flex-end" gap="sm">
          <NativeSelect
            label="State"
            name="state"
            data={STATES}
            defaultValue={search.state ?? ""}
          />
          <TextInput
            label="Currency"
            name="currency"
            placeholder="INR"
            autoComplete="off"
            defaultValue={search.currency ?? ""}
          />
          <TextInput
            label="Batch"
            name="batch"
            autoComplete="off"
            defaultValue={search.batch ?? ""}
          />
          <TextInput label="Since" name="from" type="date" defaultValue={search.from ?? ""} />
          <TextInput label="Until" name="to" type="date" defaultValue={search.to ?? ""} />
          <NativeSelect
            label="In whose hands"
            name="whose"
            data={WHOSE}
            defaultValue={search.whose ?? ""}
          />
          {search.snoozed ? <input type="hidden" name="snoozed" value={search.snoozed} /> : null}
          <Button type="submit" variant="default">
            Find
          </Button>
        </Group>
      </form>
    </search>
  );
}
