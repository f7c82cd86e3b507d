import { Alert, PasswordInput, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { ApiProblem, call } from "../../server/client.ts";
import { ActionForm } from "../../components/forms/action-form.tsx";
import { SignedOutPage } from "./signed-out-page.tsx";
import { startSession, dashboardPath } from "./start-session.ts";
import { messages } from "./messages.tsx";

const texts = messages.signIn;

/** The sign-in page, which asks for a code if the user has a second factor. */
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
      startSession(session);
      await navigate({ href: dashboardPath(next) });
    },
  });
  const needsCode = signIn.error instanceof ApiProblem && signIn.error.code === "code_required";
  const asksCode = needsCode || code !== "";

  return (
    <SignedOutPage title={texts.title}>
      {ended ? (
        <Alert color="yellow" variant="light" role="status">
          {texts.ended}
        </Alert>
      ) : null}
      <ActionForm action={signIn} verb={texts.submit} error={needsCode ? null : signIn.error}>
        <TextInput
          label={messages.email}
          type="email"
          autoComplete="username"
          value={email}
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
          required
        />
        <PasswordInput
          label={messages.password}
          autoComplete="current-password"
          value={password}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          required
        />
        {asksCode ? <CodeField value={code} onChange={setCode} /> : null}
      </ActionForm>
      <Text size="sm" c="dimmed">
        {texts.help}
      </Text>
    </SignedOutPage>
  );
}

/**
 * The field for the second factor. It appears when the server asks for a code, and receives the
 * focus.
 */
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
      label={messages.code}
      description={messages.codeHint}
      autoComplete="one-time-code"
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      required
    />
  );
}
