import { Alert, Button, Code, Group, List, Text, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, call } from "../../client.ts";
import { ActionForm } from "../../components/action-form.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Section } from "../../components/section.tsx";
import { sessionQuery } from "../../session.ts";

/** A code of the phone at the door, and before what moves money. */
export function SecondFactor({ hasTotp }: { readonly hasTotp: boolean }) {
  const queries = useQueryClient();
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
  const error = begin.error ?? drop.error;
  return (
    <Section title="Second factor">
      <Text size="sm">
        {hasTotp
          ? "On: a code of your authenticator is asked for when you sign in, and before what moves money."
          : "Off. With it, nobody gets in by your password alone."}
      </Text>
      {error ? <ErrorState error={error} /> : null}
      {recovery ? <RecoveryCodes codes={recovery} /> : null}
      {begin.data ? (
        <Enrolment enrolment={begin.data} onKept={keep} />
      ) : (
        <Group>
          <Button loading={begin.isPending} onClick={() => begin.mutate()}>
            {hasTotp ? "Change the device" : "Turn it on"}
          </Button>
          {hasTotp ? (
            <Button variant="default" loading={drop.isPending} onClick={() => drop.mutate()}>
              Turn it off
            </Button>
          ) : null}
        </Group>
      )}
    </Section>
  );
}

function Enrolment({
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
    <ActionForm action={confirm} verb="Turn it on" narrow>
      <Text size="sm">Scan this with your authenticator, then type the code that it shows.</Text>
      <img
        src={`data:image/svg+xml,${encodeURIComponent(qr_svg)}`}
        width={200}
        height={200}
        alt="QR code with the secret; the same secret is written below"
      />
      <Text size="sm">
        Or type this into it: <Code>{secret.replaceAll(/(.{4})/g, "$1 ").trim()}</Code>
      </Text>
      <TextInput
        label="Code"
        inputMode="numeric"
        autoComplete="one-time-code"
        value={code}
        onChange={({ currentTarget }) => setCode(currentTarget.value)}
        required
      />
    </ActionForm>
  );
}

function RecoveryCodes({ codes }: { readonly codes: readonly string[] }) {
  return (
    <Alert
      variant="light"
      color="yellow"
      title="Keep these recovery codes now: they are shown once"
    >
      <Text size="sm">Each gets you in once, if you lose the device.</Text>
      <List listStyleType="none" mt="xs">
        {codes.map((code) => (
          <List.Item key={code}>
            <Code>{code}</Code>
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
