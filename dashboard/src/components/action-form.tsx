import { Button, Stack } from "@mantine/core";
import type { FormEvent, ReactNode } from "react";
import { ErrorState } from "./error-state.tsx";

/** Fields, why they were refused, and the one button that sends them. */
export function ActionForm({
  action,
  verb,
  error = action.error,
  disabled = false,
  narrow = false,
  children,
}: {
  /** A mutation that takes what the fields hold. */
  readonly action: {
    readonly mutate: () => void;
    readonly error: Error | null;
    readonly isPending: boolean;
  };
  readonly verb: string;
  /** Null where a field says it already. */
  readonly error?: Error | null;
  readonly disabled?: boolean;
  /** On a wide page: no wider than it reads well, and the button as wide as its word. */
  readonly narrow?: boolean;
  readonly children?: ReactNode;
}) {
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    action.mutate();
  };
  const button = (
    <Button type="submit" loading={action.isPending} disabled={disabled}>
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
