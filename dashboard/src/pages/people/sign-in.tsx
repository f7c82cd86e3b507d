import { PasswordInput, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { type Answer, ApiProblem, call } from "../../client.ts";
import { ActionForm } from "../../components/action-form.tsx";

/** E-mail, password, and the code where one is asked for. */
export function SignIn({
  onIn,
}: {
  readonly onIn: (session: Answer<"POST /api/session">) => unknown;
}) {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const signIn = useMutation({
    mutationFn: () =>
      call("POST /api/session", { body: { email, password, ...(code === "" ? {} : { code }) } }),
    onSuccess: onIn,
  });
  const needsCode = signIn.error instanceof ApiProblem && signIn.error.code === "code_required";
  const asksCode = needsCode || code !== "";

  return (
    <ActionForm action={signIn} verb="Sign in" error={needsCode ? null : signIn.error}>
      <TextInput
        label="E-mail"
        type="email"
        autoComplete="username"
        value={email}
        onChange={({ currentTarget }) => setEmail(currentTarget.value)}
        required
      />
      <PasswordInput
        label="Password"
        autoComplete="current-password"
        value={password}
        onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        required
      />
      {asksCode ? <CodeField value={code} onChange={setCode} /> : null}
    </ActionForm>
  );
}

/** It appears when it is asked for, and is what comes next. */
function CodeField({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (code: string) => void;
}) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <TextInput
      ref={field}
      label="Code"
      description="From your authenticator, or a recovery code"
      autoComplete="one-time-code"
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      required
    />
  );
}
