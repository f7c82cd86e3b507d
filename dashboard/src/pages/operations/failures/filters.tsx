import { Button, Group, NativeSelect, TextInput } from "@mantine/core";
import type { FormEvent } from "react";
import type { Answer } from "../../../server/client.ts";
import { PAYOUT_STATES } from "../../../base/state.ts";
import { messages } from "./messages.ts";
import { failureSearch, type FailureSearch } from "./search-params.ts";

const texts = messages.filters;

type State = Answer<"GET /api/failures">["totals"][number]["state"];

/** Returns the label of a state in the list of failures. Approved payouts in it are deferred. */
export const failureStateLabel = (state: State): string =>
  state === "approved" ? texts.deferred : PAYOUT_STATES[state].word;

const STATES = [
  { value: "", label: texts.any },
  ...(["declined", "on_hold", "in_doubt", "returned", "approved"] as const).map((state) => ({
    value: state,
    label: failureStateLabel(state),
  })),
];

const ASSIGNMENTS = [
  { value: "", label: texts.any },
  { value: "me", label: texts.me },
  { value: "nobody", label: texts.nobody },
];

/** The filters of the list of failures, kept in the page address. */
export function FailureFilters({
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
    <search aria-label={messages.title}>
      <form onSubmit={submit}>
        <Group align="flex-end" gap="sm">
          <NativeSelect
            label={texts.state}
            name="state"
            data={STATES}
            defaultValue={search.state ?? ""}
          />
          <TextInput
            label={texts.currency}
            name="currency"
            placeholder={texts.currencyHint}
            autoComplete="off"
            defaultValue={search.currency ?? ""}
          />
          <TextInput
            label={texts.batch}
            name="batch"
            autoComplete="off"
            defaultValue={search.batch ?? ""}
          />
          <TextInput label={texts.from} name="from" type="date" defaultValue={search.from ?? ""} />
          <TextInput label={texts.to} name="to" type="date" defaultValue={search.to ?? ""} />
          <NativeSelect
            label={texts.assignedTo}
            name="whose"
            data={ASSIGNMENTS}
            defaultValue={search.whose ?? ""}
          />
          {search.snoozed ? <input type="hidden" name="snoozed" value={search.snoozed} /> : null}
          <Button type="submit" variant="default">
            {texts.find}
          </Button>
        </Group>
      </form>
    </search>
  );
}
