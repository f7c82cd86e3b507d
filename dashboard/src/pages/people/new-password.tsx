import { PasswordInput } from "@mantine/core";
import { ApiProblem } from "../../client.ts";

const WHY: Readonly<Record<string, string>> = {
  too_short: "It needs at least 15 characters.",
  too_long: "It may have at most 128 characters.",
  too_plain: "It repeats itself, or is a row of neighbours. Use more different characters.",
  too_common:
    "It is one of the first that anybody would guess. Take several words that do not belong together.",
  about_you: "It is made of your own name or e-mail.",
};

/** A password to be chosen, with what is wrong with the one that was refused. */
export function NewPassword({
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
      label="New password"
      description="At least 15 characters. Several words are better than signs and digits."
      autoComplete="new-password"
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      error={isWeak(error) ? WHY[String(error.document["why"])] : undefined}
      required
    />
  );
}

/** Said beside the field; everything else is said below. */
export const isWeak = (error: Error | null): error is ApiProblem =>
  error instanceof ApiProblem && error.code === "weak_password";
