import { Alert, PasswordInput, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { ApiProblem, call } from "../../client.ts";
import { ActionForm } from "../../components/action-form.tsx";
import { Door } from "./door.tsx";
import { enter, ownPlace } from "./enter.ts";

export function LoginPage() {
  const { next, ended } = useSearch({ from: "/login" });
  const navigate = useNavigate();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const signIn = useMutation({
    mutationFn: () =>
      call("POST /api/session", { body: { email, password, ...(code === "" ? {} : { code }) } }),
    onSuccess: async (session) => {
      enter(session);
      await navigate({ href: ownPlace(next) });
    },
  });
  const needsCode = signIn.error instanceof ApiProblem && signIn.error.code === "code_required";
  const asksCode = needsCode || code !== "";

  return (
    <Door title="Sign in">
      {ended ? (
        <Alert color="yellow" variant="light" role="status">
          Your session has ended. Sign in, and you are back where you were.
        </Alert>
      ) : null}
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
      <Text size="sm" c="dimmed">
        Cannot get in? An admin can make you a new link.
      </Text>
    </Door>
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
