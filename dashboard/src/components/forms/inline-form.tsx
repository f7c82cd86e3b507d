import { Button } from "@mantine/core";
import type { FormEvent, ReactNode } from "react";
import { ErrorState } from "../error-state.tsx";
import classes from "./inline-form.module.css";

/** One field with its buttons in a line, and its error below. */
export function InlineForm({
  onSend,
  isSending,
  verb,
  verbLabel,
  disabled,
  more,
  below,
  error,
  children,
}: {
  readonly onSend: () => void;
  readonly isSending: boolean;
  readonly verb: string;
  /** The full label, where the verb alone is ambiguous. */
  readonly verbLabel?: string;
  readonly disabled: boolean;
  /** Further buttons. */
  readonly more?: ReactNode;
  readonly below?: ReactNode;
  readonly error: Error | null;
  /** The field. */
  readonly children: ReactNode;
}) {
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSend();
  };
  return (
    <form onSubmit={submit}>
      <div className={classes.row}>
        {children}
        <Button
          type="submit"
          size="xs"
          variant="default"
          aria-label={verbLabel}
          loading={isSending}
          disabled={disabled}
        >
          {verb}
        </Button>
        {more}
      </div>
      {below}
      {error ? <ErrorState error={error} /> : null}
    </form>
  );
}
