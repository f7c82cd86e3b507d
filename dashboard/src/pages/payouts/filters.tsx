import { Button, Group, NativeSelect, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { call } from "../../client.ts";
import { ErrorState } from "../../components/error-state.tsx";
import { PAYOUT_STATES } from "../../state.ts";
import classes from "../../components/filters.module.css";
import {
  MAIN_FIELDS,
  MORE_FIELDS,
  type PayoutSearch,
  payoutSearch,
  toLocal,
  toUtc,
} from "./search-params.ts";

const ANY_STATE = { value: "", label: "any state" };
const STATES = [
  ANY_STATE,
  ...Object.entries(PAYOUT_STATES).map(([value, { word }]) => ({ value, label: word })),
];
const SORTS = [
  { value: "", label: "newest first" },
  { value: "oldest", label: "oldest first" },
  { value: "changed", label: "last changed first" },
];

/** Every filter stands in the address, so that a list can be kept and handed on; an account does so sealed. */
export function Filters({
  search,
  onSearch,
}: {
  readonly search: PayoutSearch;
  readonly onSearch: (search: PayoutSearch) => void;
}) {
  const [refusal, setRefusal] = useState<unknown>(null);
  const find = async (form: HTMLFormElement): Promise<void> => {
    const given: Record<string, unknown> = Object.fromEntries(new FormData(form));
    for (const { name, type } of MORE_FIELDS) {
      const value = given[name];
      if (type && typeof value === "string" && value !== "") given[name] = toUtc(value);
    }
    const typed = given["account"];
    const account = typeof typed === "string" ? typed.trim() : "";
    given["account"] =
      account === ""
        ? search.account
        : (await call("POST /api/account-filters", { body: { account } })).account;
    setRefusal(null);
    onSearch(payoutSearch(given));
  };
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    find(event.currentTarget).catch(setRefusal);
  };
  const isDetailed = MORE_FIELDS.some(({ name }) => search[name] !== undefined);
  // A state that stands for several keeps its text: the select cannot show it, so it gets a line of its own.
  const several = search.state?.includes(",")
    ? [{ value: search.state, label: search.state.replaceAll("_", " ") }]
    : [];

  return (
    <search aria-label="Payouts">
      <form onSubmit={submit} key={JSON.stringify(search)} className={classes.filters}>
        <div className={classes.fields}>
          {MAIN_FIELDS.map((field) => (
            <FilterInput key={field.name} {...field} value={search[field.name]} />
          ))}
          <NativeSelect
            label="State"
            name="state"
            data={[...STATES, ...several]}
            defaultValue={search.state ?? ""}
          />
          <NativeSelect label="Order" name="sort" data={SORTS} defaultValue={search.sort ?? ""} />
        </div>
        <details open={isDetailed} className={classes.more}>
          <summary>More filters</summary>
          <div className={classes.fields}>
            {MORE_FIELDS.map((field) => (
              <FilterInput key={field.name} {...field} value={search[field.name]} />
            ))}
          </div>
        </details>
        {refusal ? <ErrorState error={refusal} /> : null}
        <Group gap="xs">
          <Button type="submit">Find</Button>
          <Button type="button" variant="default" onClick={() => onSearch({})}>
            Clear
          </Button>
        </Group>
      </form>
    </search>
  );
}

function FilterInput({
  name,
  label,
  hint,
  type,
  value,
}: (typeof MORE_FIELDS)[number] & { readonly value: string | undefined }) {
  const isSealed = name === "account";
  return (
    <TextInput
      name={name}
      label={label}
      placeholder={isSealed && value ? "one account; another one" : (hint ?? "")}
      type={type ?? "text"}
      autoComplete="off"
      defaultValue={isSealed ? "" : type ? toLocal(value) : (value ?? "")}
    />
  );
}
