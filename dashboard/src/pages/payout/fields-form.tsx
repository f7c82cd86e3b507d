import { Button, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { DateField } from "../../components/forms/date-field.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { call } from "../../server/client.ts";
import { useMay } from "../../server/session.ts";
import classes from "./filters.module.css";
import { messages } from "./messages.ts";
import { type Field, type PayoutSearch, payoutSearch } from "./search-params.ts";
import { toLocal, toUtc } from "../../base/local-time.ts";

const texts = messages.filters;

/** The fields of one filter chip. An account number is encrypted before the address holds it. */
export function FieldsForm({
  fields,
  search,
  onSearch,
}: {
  readonly fields: readonly Field[];
  readonly search: PayoutSearch;
  readonly onSearch: (search: PayoutSearch) => void;
}) {
  const mayReveal = useMay("reveal");
  const hasAccount = fields.some(({ name }) => name === "account");
  const apply = async (form: HTMLFormElement): Promise<void> => {
    const given: Record<string, unknown> = Object.fromEntries(new FormData(form));
    for (const { name, type } of fields) {
      const value = given[name];
      if (type && typeof value === "string" && value !== "") given[name] = toUtc(value);
    }
    const typed = given["account"];
    const account = typeof typed === "string" ? typed.trim() : "";
    given["account"] =
      account === ""
        ? search.account
        : (await call("POST /api/account-filters", { body: { account } })).account;
    onSearch(payoutSearch({ ...search, ...given }));
  };
  const applying = useMutation({ mutationFn: apply });
  return (
    <form
      className={classes.fields}
      onSubmit={(event) => {
        event.preventDefault();
        applying.mutate(event.currentTarget);
      }}
    >
      {fields
        .filter(({ name }) => mayReveal || name !== "account")
        .map((field) => (
          <FieldInput key={field.name} field={field} value={search[field.name]} />
        ))}
      {hasAccount && !mayReveal ? (
        <Text size="xs" c="dimmed">
          {texts.accountNeedsPermission}
        </Text>
      ) : null}
      {applying.error ? <ErrorState error={applying.error} /> : null}
      <Button type="submit" loading={applying.isPending}>
        {texts.apply}
      </Button>
    </form>
  );
}

function FieldInput({
  field: { name, type },
  value,
}: {
  readonly field: Field;
  readonly value: string | undefined;
}) {
  const { label, hint } = texts.fields[name];
  const isSealed = name === "account";
  if (type !== undefined) {
    return <DateField withTime label={label} name={name} defaultValue={toLocal(value)} />;
  }
  return (
    <TextInput
      name={name}
      label={label}
      placeholder={isSealed && value ? texts.accountIsSet : (hint ?? "")}
      autoComplete="off"
      defaultValue={isSealed ? "" : (value ?? "")}
    />
  );
}
