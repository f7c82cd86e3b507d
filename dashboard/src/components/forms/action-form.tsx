import { Button, Stack } from "@mantine/core";
import type { FormEvent, ReactNode } from "react";
import { ErrorState } from "../error-state.tsx";

/** A form with its fields, the error of the last try and one button. */
export function ActionForm({
  action,
  verb,
  error = action.error,
  disabled = false,
  narrow = false,
  isSecondary = false,
  children,
}: {
  /** A mutation that sends the fields. */
  readonly action: {
    readonly mutate: () => void;
    readonly error: Error | null;
    readonly isPending: boolean;
  };
  readonly verb: string;
  /** Null when a field shows the error itself. */
  readonly error?: Error | null;
  readonly disabled?: boolean;
  /** Limits the width on a wide page. */
  readonly narrow?: boolean;
  /** The page has a more important button. */
  readonly isSecondary?: boolean;
  readonly children?: ReactNode;
}) {
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    action.mutate();
  };
  const button = (
    <Button
      type="submit"
      {...(isSecondary && { variant: "default" })}
      loading={action.isPending}
      disabled={disabled}
    >
      {verb}
    </Button>
  );
  return (
    <form onSubmit={submit}>
      <Stack {...(narrow ? { maw: 400 } : {})}>
        {children}
        {error ? <ErrorState error={error} /> : null}
        {narrow ? <div>{button}</div> : button}
      </Stack>
    </form>
  );
}
