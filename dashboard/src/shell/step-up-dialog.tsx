import { Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useState } from "react";
import { call, type ConfirmedAction } from "../server/client.ts";
import { ErrorState } from "../components/error-state.tsx";
import { sessionQuery, usePerson } from "../server/session.ts";
import { finishStepUp, useStepUpRequest } from "../server/step-up.ts";
import { dialogMessages as messages } from "./dialog-messages.ts";

const texts = messages.stepUp;

/**
 * Asks again for a code, or for the password of a user without a second factor, which some actions
 * require. The title states the action.
 */
export default function StepUpDialog() {
  const action = useStepUpRequest();
  const asked = action !== null;
  // The title stays while the dialog closes.
  const [last, setLast] = useState(action);
  if (action !== null && action !== last) setLast(action);
  const hasTotp = usePerson()?.has_totp ?? false;
  // Opens after mounting, so that it can return the focus to the element that had it.
  const [opened, setOpened] = useState(false);
  // oxlint-disable-next-line react/set-state-in-effect -- opened after it is there, it gives the focus back
  useEffect(() => setOpened(asked), [asked]);
  return (
    <Modal
      opened={opened}
      onClose={() => finishStepUp(false)}
      title={titleOf(last)}
      closeButtonProps={{ "aria-label": texts.close }}
      zIndex={400}
      centered
    >
      <Proof hasTotp={hasTotp} />
    </Modal>
  );
}

const titleOf = (action: ConfirmedAction | null): string => {
  const does = action?.confirms ?? (action && texts.actions[action.name]);
  return does ? texts.title(does) : texts.untitled;
};

function Proof({ hasTotp }: { readonly hasTotp: boolean }) {
  const [proof, setProof] = useState("");
  const queries = useQueryClient();
  const stepUp = useMutation({
    mutationFn: () =>
      call("POST /api/session/step-up", {
        body: hasTotp ? { code: proof } : { password: proof },
      }),
    onSuccess: () => {
      void queries.invalidateQueries(sessionQuery);
      finishStepUp(true);
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
        <Text size="sm">{hasTotp ? texts.whyCode : texts.whyPassword}</Text>
        {hasTotp ? (
          <TextInput
            label={texts.code}
            description={texts.codeHint}
            autoComplete="one-time-code"
            inputMode="numeric"
            {...field}
          />
        ) : (
          <PasswordInput label={texts.password} autoComplete="current-password" {...field} />
        )}
        {stepUp.error ? <ErrorState error={stepUp.error} /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => finishStepUp(false)}>
            {texts.cancel}
          </Button>
          <Button type="submit" loading={stepUp.isPending} disabled={proof === ""}>
            {texts.confirm}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
