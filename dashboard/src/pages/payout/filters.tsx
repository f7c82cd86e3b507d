import { NativeSelect, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { call } from "../../server/client.ts";
import { ErrorState } from "../../components/error-state.tsx";
import { FilterForm, stateChoices } from "../../components/forms/filter-form.tsx";
import { useMay } from "../../server/session.ts";
import { PAYOUT_STATES } from "../../base/state.ts";
import classes from "../../components/forms/filters.module.css";
import { messages } from "./messages.ts";
import {
  MAIN_FIELDS,
  MORE_FIELDS,
  type PayoutSearch,
  payoutSearch,
  toLocal,
  toUtc,
} from "./search-params.ts";

const texts = messages.filters;

const SORTS = [
  { value: "", label: texts.newest },
  { value: "oldest", label: texts.oldest },
  { value: "changed", label: texts.changed },
];

/**
 * The page address holds every filter, so that people can save and share a list. An account number
 * is encrypted there.
 */
export function PayoutFilters({
  search,
  onSearch,
}: {
  readonly search: PayoutSearch;
  readonly onSearch: (search: PayoutSearch) => void;
}) {
  const [refusal, setRefusal] = useState<unknown>(null);
  const mayReveal = useMay("reveal");
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
  const isDetailed = MORE_FIELDS.some(({ name }) => search[name] !== undefined);
  const more = (
    <>
      <details open={isDetailed} className={classes.more}>
        <summary>{texts.more}</summary>
        <div className={classes.fields}>
          {MORE_FIELDS.filter(({ name }) => mayReveal || name !== "account").map((field) => (
            <FilterInput key={field.name} {...field} value={search[field.name]} />
          ))}
        </div>
        {mayReveal ? null : (
          <Text size="sm" c="dimmed">
            {texts.accountNeedsPermission}
          </Text>
        )}
      </details>
      {refusal ? <ErrorState error={refusal} /> : null}
    </>
  );

  return (
    <FilterForm
      of={messages.list.title}
      search={search}
      onFind={(form) => void find(form).catch(setRefusal)}
      onClear={() => onSearch({})}
      more={more}
    >
      {MAIN_FIELDS.map((field) => (
        <FilterInput key={field.name} {...field} value={search[field.name]} />
      ))}
      <NativeSelect
        label={texts.state}
        name="state"
        data={stateChoices(PAYOUT_STATES, search.state)}
        defaultValue={search.state ?? ""}
      />
      <NativeSelect label={texts.sort} name="sort" data={SORTS} defaultValue={search.sort ?? ""} />
    </FilterForm>
  );
}

function FilterInput({
  name,
  type,
  value,
}: (typeof MORE_FIELDS)[number] & { readonly value: string | undefined }) {
  const { label, hint } = texts.fields[name];
  const isSealed = name === "account";
  return (
    <TextInput
      name={name}
      label={label}
      placeholder={isSealed && value ? texts.accountIsSet : (hint ?? "")}
      type={type ?? "text"}
      autoComplete="off"
      defaultValue={isSealed ? "" : type ? toLocal(value) : (value ?? "")}
    />
  );
}
