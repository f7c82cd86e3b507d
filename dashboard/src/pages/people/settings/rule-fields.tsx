import { TextInput } from "@mantine/core";
import { useState } from "react";
import { formatAmount } from "../../../base/money.ts";
import { messages } from "./messages.tsx";

const texts = messages.fields;

interface Field {
  readonly label: string;
  readonly value: string;
  readonly onChange: (typed: string) => void;
}

// The same formats as in api/app/shapes.ts.
const AMOUNT = /^[0-9]{1,15}(\.[0-9]{1,8})?$/;
const CURRENCY = /^[A-Z0-9-]{1,40}$/;

/** Returns whether the text is an amount that the API accepts. */
export const isAmount = (text: string): boolean => AMOUNT.test(text);

/** Returns whether the text is a currency code that the API accepts. */
export const isCurrency = (text: string): boolean => CURRENCY.test(text);

const GROUPED = /^\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d+)?$/;

/** Removes the separators of "1,00,000.50", which the page shows and people copy. */
const withoutGroups = (typed: string): string =>
  GROUPED.test(typed) ? typed.replaceAll(",", "") : typed;

/**
 * The amount of a rule or a limit, a decimal in any currency, with separators until it is edited.
 */
export function RuleAmount({
  label,
  value,
  currency,
  onChange,
}: Field & { readonly currency: string | null }) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <TextInput
      label={label}
      inputMode="decimal"
      withAsterisk
      placeholder={texts.amount}
      value={typed ?? (isAmount(value) ? formatAmount(value, currency) : value)}
      error={value === "" || isAmount(value) ? null : texts.amountError}
      onBlur={() => setTyped(null)}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        onChange(withoutGroups(currentTarget.value.trim()));
      }}
    />
  );
}

/** The currency of a rule or a limit, in capitals. */
export const RuleCurrency = ({
  label,
  value,
  onChange,
  mayBeEmpty = false,
}: Field & { readonly mayBeEmpty?: boolean }) => (
  <TextInput
    label={label}
    withAsterisk={!mayBeEmpty}
    placeholder={mayBeEmpty ? texts.anyCurrency : texts.currency}
    value={value}
    error={value === "" || isCurrency(value) ? null : texts.currencyError}
    onChange={({ currentTarget }) => onChange(currentTarget.value.trim().toUpperCase())}
  />
);
