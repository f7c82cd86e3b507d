import { TextInput, type TextInputProps } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { readAmount } from "../money.ts";

type Field = Omit<TextInputProps, "value" | "onChange" | "error"> & {
  readonly value: string;
  readonly onChange: (typed: string) => void;
};

/** Says beside the field why it cannot be taken, once it was left or sent; its form is not sent before. */
export function CheckedInput({
  refusal,
  onChange,
  ...field
}: Field & { readonly refusal: string | null }) {
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
        // The browser's own bubble would say it a second time, and go away.
        event.preventDefault();
        setIsSaid(true);
        input.current?.focus();
      }}
      error={isSaid ? fault : null}
    />
  );
}

/** An amount as people write it; `readAmount` says what it comes to. */
export const AmountInput = ({ currency, ...field }: Field & { readonly currency: string }) => (
  <CheckedInput
    inputMode="decimal"
    {...field}
    refusal={readAmount(field.value, currency).refusal}
  />
);
