import { PasswordInput } from "@mantine/core";
import { ApiProblem } from "../../server/client.ts";
import { messages } from "./messages.tsx";

const texts = messages.newPassword;
const PROBLEMS: Readonly<Record<string, string>> = texts.problems;

/** The field for a new password, with the problem of a refused one. */
export function NewPasswordField({
  value,
  onChange,
  error,
}: {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error: Error | null;
}) {
  return (
    <PasswordInput
      label={texts.label}
      description={texts.hint}
      autoComplete="new-password"
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      error={isWeakPassword(error) ? PROBLEMS[String(error.document["why"])] : undefined}
      required
    />
  );
}

/** The field shows this error itself. The form shows all others. */
export const isWeakPassword = (error: Error | null): error is ApiProblem =>
  error instanceof ApiProblem && error.code === "weak_password";
