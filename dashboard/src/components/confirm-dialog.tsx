import { Alert, Button, Group, Modal, Stack, Text, Textarea } from "@mantine/core";
import { useMutation, type UseMutationResult } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useEffect, useId, useLayoutEffect, useState } from "react";
import { queryClient } from "../query-client.ts";
import { Changed } from "./changed.tsx";
import { ErrorState } from "./error-state.tsx";

export interface ConfirmProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** What will happen, in numbers: "Cancel 37 payouts not yet sent (USD 4,120.00)". */
  readonly sentence: ReactNode;
  /** The same verb as in the sentence; never "OK". */
  readonly verb: string;
  readonly danger?: boolean;
  /** The reason goes on the audit log. */
  readonly asksReason?: boolean;
  /** Why it cannot be done any more: it has moved on under the dialog. What was typed is not taken away with it. */
  readonly passed?: string | null;
  /** Further fields, after the sentence. */
  readonly children?: ReactNode;
  readonly onConfirm: (given: { readonly reason: string }) => Promise<unknown>;
}

export default function ConfirmDialog(props: ConfirmProps) {
  // Opened after it is there: only so does it know what had the focus, and gives it back.
  const [opened, setOpened] = useState(false);
  // oxlint-disable-next-line react/set-state-in-effect -- the second rendering is the point
  useEffect(() => setOpened(props.opened), [props.opened]);
  useLayoutEffect(giveFocusBack, []);
  const mutationKey = ["confirm", useId()];
  const confirm = useMutation({
    mutationKey,
    mutationFn: props.onConfirm,
    onSuccess: () => {
      // What a person stops or lets go changes the light above every page.
      void queryClient.invalidateQueries({ queryKey: ["GET /api/frame"] });
      props.onClose();
    },
  });
  // Of the next key that is pressed, what was drawn may not tell it yet.
  const isUnderWay = (): boolean => queryClient.isMutating({ mutationKey }) > 0;
  const close = (): void => {
    // Whoever closed it while it is being done would believe that it is not, and not read why it was refused.
    if (isUnderWay()) return;
    confirm.reset();
    props.onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={props.title}
      // "Go back" closes it. A cross above it would be what the keyboard comes to first.
      withCloseButton={false}
      centered
      // The lock is an inline style, which the content security policy refuses.
      lockScroll={false}
    >
      <Question {...props} onClose={close} confirm={confirm} isUnderWay={isUnderWay} />
    </Modal>
  );
}

/** A dialog that is taken away instead of closed leaves the focus nowhere: it goes back to what has opened it. */
function giveFocusBack(): () => void {
  const opener = document.activeElement;
  const giveBack = (): void => {
    const isNowhere = document.activeElement === document.body;
    if (isNowhere && opener instanceof HTMLElement) opener.focus();
  };
  // As soon as it is gone: later, on a slow machine, `keepFocus` has found another place.
  return () => queueMicrotask(giveBack);
}

type Given = Parameters<ConfirmProps["onConfirm"]>[0];
type Confirm = UseMutationResult<unknown, Error, Given>;

/** What the server asks of every reason. */
const REASON_CHARS = { min: 3, max: 500 };

function Question({
  opened,
  onClose,
  sentence,
  verb,
  danger,
  asksReason,
  passed = null,
  children,
  confirm,
  isUnderWay,
}: ConfirmProps & { readonly confirm: Confirm; readonly isUnderWay: () => boolean }) {
  const [reason, setReason] = useState("");
  // While one's own word is on its way, or was taken, it is that which changes it.
  const isPassed = passed !== null && opened && !confirm.isPending;
  const ready = passed === null && (!asksReason || reason.trim().length >= REASON_CHARS.min);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isUnderWay()) confirm.mutate({ reason: reason.trim() });
  };

  return (
    <form onSubmit={submit}>
      <Stack>
        {isPassed ? (
          <Changed why={passed} />
        ) : danger ? (
          <Alert color="red" variant="light">
            {sentence}
          </Alert>
        ) : (
          <Text>{sentence}</Text>
        )}
        {children}
        {asksReason ? (
          <Textarea
            label="Reason"
            description={`It goes on the audit log: ${REASON_CHARS.min} characters at least.`}
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
            maxLength={REASON_CHARS.max}
            autosize
            minRows={2}
            required
          />
        ) : null}
        {confirm.error ? <ErrorState error={confirm.error} /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={confirm.isPending}>
            Go back
          </Button>
          <Button
            type="submit"
            color={danger ? "red" : undefined}
            loading={confirm.isPending}
            disabled={!ready}
          >
            {verb}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
