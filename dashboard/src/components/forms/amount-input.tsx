import { TextInput, type TextInputProps } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { readAmount } from "../../base/money.ts";

type Field = Omit<TextInputProps, "value" | "onChange" | "error"> & {
  readonly value: string;
  readonly onChange: (typed: string) => void;
};

/** A text field that shows its error after blur or submit and blocks its form until it is valid. */
export function CheckedInput({
  refusal,
  mismatch = null,
  onChange,
  ...field
}: Field & {
  readonly refusal: string | null;
  /** The fault of a value that the form may send again. Null: there is none. */
  readonly mismatch?: string | null;
}) {
  const [isSaid, setIsSaid] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const { value } = field;
  const fault = value === "" ? null : refusal;
  useEffect(() => input.current?.setCustomValidity(fault ?? ""), [fault]);
  return (
    <TextInput
      {...field}
      ref={input}
      autoComplete="off"
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      onBlur={() => setIsSaid(value !== "")}
      onInvalid={(event) => {
        if (fault === null) return;
        // Prevents the browser's own message, which repeats the error and disappears.
        event.preventDefault();
        setIsSaid(true);
        input.current?.focus();
      }}
      error={(isSaid ? fault : null) ?? mismatch}
    />
  );
}

/** A field for an amount, read by `readAmount`. */
export const AmountInput = ({
  currency,
  ...field
}: Field & { readonly currency: string; readonly mismatch?: string | null }) => (
  <CheckedInput
    inputMode="decimal"
    {...field}
    refusal={readAmount(field.value, currency).refusal}
  />
);
