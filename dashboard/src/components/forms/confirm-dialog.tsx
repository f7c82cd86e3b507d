import { Alert, Button, Group, Modal, Stack, Text, Textarea } from "@mantine/core";
import { useMutation, type UseMutationResult } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useEffect, useId, useLayoutEffect, useState } from "react";
import { queryClient } from "../../server/query-client.ts";
import { OutdatedDataAlert } from "../outdated-data-alert.tsx";
import { ErrorState } from "../error-state.tsx";
import { messages } from "../messages.tsx";
import { detailMessages } from "../detail-messages.tsx";

/** The texts of a confirmation, and the action that it confirms. */
export interface ConfirmProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** The effect of the action in numbers: "Cancel 37 payouts not yet sent (USD 4,120.00)". */
  readonly sentence: ReactNode;
  /** The same verb as in the sentence; never "OK". */
  readonly verb: string;
  readonly danger?: boolean;
  /** The reason is written to the audit log. */
  readonly asksReason?: boolean;
  /** The reason why the action is no longer possible. The typed text stays. */
  readonly passed?: string | null;
  /** Further fields, after the sentence. */
  readonly children?: ReactNode;
  readonly onConfirm: (given: { readonly reason: string }) => Promise<unknown>;
}

/** The dialog of `ConfirmAction`, which loads it on demand. */
export default function ConfirmDialog(props: ConfirmProps) {
  // Opens after mounting, so that it can return the focus to the element that had it.
  const [opened, setOpened] = useState(false);
  // oxlint-disable-next-line react/set-state-in-effect -- the second rendering is the point
  useEffect(() => setOpened(props.opened), [props.opened]);
  useLayoutEffect(giveFocusBack, []);
  const mutationKey = ["confirm", useId()];
  const confirm = useMutation({
    mutationKey,
    mutationFn: props.onConfirm,
    onSuccess: () => {
      // An action may change the status indicator above every page.
      void queryClient.invalidateQueries({ queryKey: ["GET /api/frame"] });
      props.onClose();
    },
  });
  // The rendered state may be older than the next key press.
  const isUnderWay = (): boolean => queryClient.isMutating({ mutationKey }) > 0;
  const close = (): void => {
    // Stays open while the request runs: a closed dialog would suggest a cancelled action and hide
    // a refusal.
    if (isUnderWay()) return;
    confirm.reset();
    props.onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={props.title}
      // "Go back" closes it. A close button would be the first stop of the keyboard.
      withCloseButton={false}
      centered
      // The lock is an inline style, which the content security policy refuses.
      lockScroll={false}
    >
      <Question {...props} onClose={close} confirm={confirm} isUnderWay={isUnderWay} />
    </Modal>
  );
}

/** Returns the focus to the opening element when the dialog is unmounted instead of closed. */
function giveFocusBack(): () => void {
  const opener = document.activeElement;
  const giveBack = (): void => {
    const isNowhere = document.activeElement === document.body;
    if (isNowhere && opener instanceof HTMLElement) opener.focus();
  };
  // Immediately, because on a slow machine `keepFocus` would move the focus elsewhere first.
  return () => queueMicrotask(giveBack);
}

type Confirmed = Parameters<ConfirmProps["onConfirm"]>[0];
type Confirm = UseMutationResult<unknown, Error, Confirmed>;

/** The length that the server requires of every reason. */
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
  // While the person's own request runs, it is the cause of the change.
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
          <OutdatedDataAlert why={passed} />
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
            label={detailMessages.notes.reason}
            description={detailMessages.notes.reasonHint(REASON_CHARS.min)}
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
            {messages.dialog.goBack}
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
