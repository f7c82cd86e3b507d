import { TextInput } from "@mantine/core";
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

/** The amount of a rule or a limit, a decimal in any currency. */
export const RuleAmount = ({ label, value, onChange }: Field) => (
  <TextInput
    label={label}
    inputMode="decimal"
    value={value}
    error={isAmount(value) ? null : texts.amount}
    onChange={({ currentTarget }) => onChange(currentTarget.value.trim())}
  />
);

/** A field for the currency of a rule or a limit, with an error below it. */
export const RuleCurrency = ({
  label,
  value,
  onChange,
  mayBeEmpty = false,
}: Field & { readonly mayBeEmpty?: boolean }) => (
  <TextInput
    label={label}
    value={value}
    error={isCurrency(value) || (mayBeEmpty && value === "") ? null : texts.currency}
    onChange={({ currentTarget }) => onChange(currentTarget.value.trim().toUpperCase())}
  />
);
