import { Alert, Button, Group, Modal, Stack, Text, Textarea } from "@mantine/core";
import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { queryClient } from "../query-client.ts";
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
  /** Further fields, after the sentence. */
  readonly children?: ReactNode;
  readonly onConfirm: (given: { readonly reason: string }) => Promise<unknown>;
}

export default function ConfirmDialog(props: ConfirmProps) {
  // Opened after it is there: only so does it know what had the focus, and gives it back.
  const [opened, setOpened] = useState(false);
  // oxlint-disable-next-line react/set-state-in-effect -- the second rendering is the point
  useEffect(() => setOpened(props.opened), [props.opened]);
  return (
    <Modal
      opened={opened}
      onClose={props.onClose}
      title={props.title}
      closeButtonProps={{ "aria-label": "Close" }}
      centered
      // The lock is an inline style, which the content security policy refuses.
      lockScroll={false}
    >
      <Question {...props} />
    </Modal>
  );
}

/** What the server asks of every reason. */
const REASON_MIN = 3;

function Question({
  onClose,
  sentence,
  verb,
  danger,
  asksReason,
  children,
  onConfirm,
}: ConfirmProps) {
  const [reason, setReason] = useState("");
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Error | null>(null);
  const ready = !asksReason || reason.trim().length >= REASON_MIN;

  const confirm = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setRefusal(null);
    try {
      await onConfirm({ reason: reason.trim() });
      // What a person stops or lets go changes the light above every page.
      void queryClient.invalidateQueries({ queryKey: ["GET /api/frame"] });
      onClose();
    } catch (error) {
      setRefusal(error instanceof Error ? error : new Error(String(error)));
    } finally {
      setBusy(false);
    }
  };

  return (
    <form onSubmit={(event) => void confirm(event)}>
      <Stack>
        {danger ? (
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
            description={`It goes on the audit log: ${REASON_MIN} characters at least.`}
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
            autosize
            minRows={2}
            required
          />
        ) : null}
        {refusal ? <ErrorState error={refusal} /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Go back
          </Button>
          <Button type="submit" color={danger ? "red" : undefined} loading={busy} disabled={!ready}>
            {verb}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
