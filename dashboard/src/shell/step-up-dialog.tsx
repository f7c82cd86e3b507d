import { Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useState } from "react";
import { call } from "../client.ts";
import { ErrorState } from "../components/error-state.tsx";
import { sessionQuery, usePerson } from "../session.ts";
import { answerProof, useProofAsked } from "../step-up.ts";

/** The second proof that some operations ask for: a code, or the password of who has no second factor. */
export default function StepUpDialog() {
  const asked = useProofAsked();
  // Opened after it is there: only so does it know what had the focus, and gives it back.
  const [opened, setOpened] = useState(false);
  // oxlint-disable-next-line react/set-state-in-effect -- opened after it is there, it gives the focus back
  useEffect(() => setOpened(asked), [asked]);
  return (
    <Modal
      opened={opened}
      onClose={() => answerProof(false)}
      title="Is it still you?"
      closeButtonProps={{ "aria-label": "Close" }}
      zIndex={400}
      centered
    >
      <Proof />
    </Modal>
  );
}

function Proof() {
  const hasTotp = usePerson()?.has_totp ?? false;
  const [proof, setProof] = useState("");
  const queries = useQueryClient();
  const stepUp = useMutation({
    mutationFn: () =>
      call("POST /api/session/step-up", {
        body: hasTotp ? { code: proof } : { password: proof },
      }),
    onSuccess: () => {
      void queries.invalidateQueries(sessionQuery);
      answerProof(true);
    },
    onError: () => setProof(""),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    stepUp.mutate();
  };
  const field = {
    value: proof,
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      setProof(currentTarget.value),
    required: true,
    "data-autofocus": true,
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">This needs a fresh proof. It counts for five minutes.</Text>
        {hasTotp ? (
          <TextInput
            label="Code"
            description="From your authenticator, or a recovery code"
            autoComplete="one-time-code"
            inputMode="numeric"
            {...field}
          />
        ) : (
          <PasswordInput label="Password" autoComplete="current-password" {...field} />
        )}
        {stepUp.error ? <ErrorState error={stepUp.error} /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => answerProof(false)}>
            Go back
          </Button>
          <Button type="submit" loading={stepUp.isPending} disabled={proof === ""}>
            Go on
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
