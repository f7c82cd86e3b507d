import { Alert, Button, Code, CopyButton, Group, List, Text, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { type Answer, ApiProblem, call } from "../../server/client.ts";
import { ActionForm } from "../../components/forms/action-form.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Section } from "../../components/section.tsx";
import { clearUserData } from "../../server/query-client.ts";
import { type Person, sessionQuery } from "../../server/session.ts";
import { messages } from "./messages.tsx";

const texts = messages.secondFactor;

/** Sets up, changes and removes the second factor of the signed-in person. */
export function SecondFactor({
  person: { has_totp: hasTotp, second_factor_missing: missing },
}: {
  readonly person: Person;
}) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [recovery, setRecovery] = useState<readonly string[] | null>(null);
  const begin = useMutation({ mutationFn: () => call("POST /api/profile/totp") });
  const drop = useMutation({
    mutationFn: () => call("DELETE /api/profile/totp"),
    onSuccess: () => queries.invalidateQueries(sessionQuery),
  });
  const keep = (codes: readonly string[]): void => {
    setRecovery(codes);
    begin.reset();
    void queries.invalidateQueries(sessionQuery);
  };
  const signInAgain = useMutation({
    mutationFn: () => call("DELETE /api/session"),
    onSuccess: async () => {
      clearUserData();
      await navigate({ to: "/login", search: { next: "/profile" } });
    },
  });
  const error = begin.error ?? drop.error ?? signInAgain.error;
  const mustSignInAgain = error instanceof ApiProblem && error.code === "sign_in_again";
  return (
    <Section title={texts.title}>
      <Text size="sm">
        {hasTotp ? texts.on : missing.length > 0 ? texts.missing(missing) : texts.off}
      </Text>
      {error ? <ErrorState error={error} /> : null}
      {mustSignInAgain ? (
        <Button variant="default" onClick={() => signInAgain.mutate()}>
          {texts.signInAgain}
        </Button>
      ) : null}
      {recovery ? <RecoveryCodes codes={recovery} /> : null}
      {begin.data ? (
        <Enrolment enrolment={begin.data} onKept={keep} />
      ) : (
        <Group>
          <Button loading={begin.isPending} onClick={() => begin.mutate()}>
            {hasTotp ? texts.changeDevice : texts.turnOn}
          </Button>
          {hasTotp ? (
            <Button variant="default" loading={drop.isPending} onClick={() => drop.mutate()}>
              {texts.turnOff}
            </Button>
          ) : null}
        </Group>
      )}
    </Section>
  );
}

/** The QR code of a new second factor, and the field for the code that confirms it. */
export function Enrolment({
  enrolment: { secret, qr_svg, enrolment },
  onKept,
}: {
  readonly enrolment: Answer<"POST /api/profile/totp">;
  readonly onKept: (recoveryCodes: readonly string[]) => void;
}) {
  const [code, setCode] = useState("");
  const confirm = useMutation({
    mutationFn: () => call("POST /api/profile/totp/confirm", { body: { enrolment, code } }),
    onSuccess: ({ recovery_codes }) => onKept(recovery_codes),
  });
  return (
    <ActionForm action={confirm} verb={texts.turnOn} narrow>
      <Text size="sm">{texts.scan}</Text>
      <img
        src={`data:image/svg+xml,${encodeURIComponent(qr_svg)}`}
        width={200}
        height={200}
        alt={texts.qrCode}
      />
      <Text size="sm">
        {texts.typeSecret(<Code>{secret.replaceAll(/(.{4})/g, "$1 ").trim()}</Code>)}
      </Text>
      <TextInput
        label={messages.code}
        inputMode="numeric"
        autoComplete="one-time-code"
        value={code}
        onChange={({ currentTarget }) => setCode(currentTarget.value)}
        required
      />
    </ActionForm>
  );
}

/** The recovery codes of a new second factor, which are shown once. */
export function RecoveryCodes({ codes }: { readonly codes: readonly string[] }) {
  const text = codes.join("\n");
  return (
    <Alert variant="light" color="yellow" title={texts.recoveryTitle}>
      <Text size="sm">{texts.recoveryText}</Text>
      <List listStyleType="none" mt="xs">
        {codes.map((code) => (
          <List.Item key={code}>
            <Code>{code}</Code>
          </List.Item>
        ))}
      </List>
      <Group gap="xs" mt="sm">
        {/* A page without https has no clipboard. */}
        {navigator.clipboard ? (
          <CopyButton value={text}>
            {({ copied, copy }) => (
              <Button size="xs" variant="default" onClick={copy}>
                {copied ? texts.codesCopied : texts.copyCodes}
              </Button>
            )}
          </CopyButton>
        ) : null}
        <Button
          component="a"
          size="xs"
          variant="default"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
          download="payrun-recovery-codes.txt"
        >
          {texts.downloadCodes}
        </Button>
      </Group>
    </Alert>
  );
}
