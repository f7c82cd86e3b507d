import { Alert, Button, Group, Stack, Text, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { detailMessages } from "../../components/detail-messages.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { AssigneeField } from "../../components/forms/assignee-field.tsx";
import { messages as common } from "../../components/messages.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { call } from "../../server/client.ts";
import { usePerson } from "../../server/session.ts";
import { CurrentAssignees, LeftPayouts, PayoutTotals } from "./action-figures.tsx";
import type { PayoutAction } from "./action-query.ts";
import { messages } from "./messages.ts";

const texts = messages.dialog;

/** The length that the server requires of every reason. */
const REASON_CHARS = { min: 3, max: 300 };

interface Repeated {
  readonly isRefreshing: boolean;
  /** Makes a new preview. */
  readonly onRepeat: () => void;
  readonly onClose: () => void;
}

/** The error of a preview that the server refused. */
export const NoPreview = ({
  error,
  isRefreshing,
  onRepeat,
  onClose,
}: Repeated & { readonly error: Error }) => (
  <Stack>
    <ErrorState error={error} />
    <Group justify="flex-end">
      <Button variant="default" onClick={onClose}>
        {common.dialog.goBack}
      </Button>
      <Button loading={isRefreshing} onClick={onRepeat}>
        {texts.previewAgain}
      </Button>
    </Group>
  </Stack>
);

/** The payouts that an action would change now, those that it would not, and the reason field. */
export function ActionPreview({
  of,
  isRefreshing,
  onRepeat,
  onApplying,
  onApplied,
  onClose,
}: Repeated & {
  readonly of: PayoutAction;
  readonly onApplying: (isApplying: boolean) => void;
  readonly onApplied: (result: PayoutAction) => void;
}) {
  const { action, qualifying } = of;
  const isAssignment = action === "assign";
  const [reason, setReason] = useState("");
  const [assignee, setAssignee] = useState(usePerson()?.id ?? "");
  const apply = useApply(of, { reason, assignee }, onApplying, onApplied);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    apply.mutate();
  };
  const isEmpty = qualifying.count === 0;
  return (
    <form onSubmit={submit}>
      <Stack>
        <Effect of={of} />
        <LeftPayouts title={texts.unchanged} of={of.not_qualifying} />
        {isEmpty ? null : isAssignment ? (
          <AssigneeField
            label={texts.assignee}
            nobody={texts.nobody}
            value={assignee}
            onChange={setAssignee}
          />
        ) : (
          <ReasonField value={reason} onChange={setReason} />
        )}
        {apply.error ? <ErrorState error={apply.error} /> : null}
        <Text size="xs" c="dimmed">
          {texts.expiry} <Timestamp at={of.expires_at} />
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={apply.isPending}>
            {common.dialog.goBack}
          </Button>
          {isEmpty || apply.error ? (
            <Button
              variant="default"
              loading={isRefreshing}
              disabled={apply.isPending}
              onClick={onRepeat}
            >
              {texts.previewAgain}
            </Button>
          ) : null}
          {isEmpty ? null : (
            <Button
              type="submit"
              color={action === "cancel" ? "red" : undefined}
              loading={apply.isPending}
              disabled={!isAssignment && reason.trim().length < REASON_CHARS.min}
            >
              {messages.actions[action].apply(qualifying.count)}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

/** Applies the preview with what the reader has entered. */
const useApply = (
  { id, action }: PayoutAction,
  { reason, assignee }: { readonly reason: string; readonly assignee: string },
  onApplying: (isApplying: boolean) => void,
  onApplied: (result: PayoutAction) => void,
) =>
  useMutation({
    mutationFn: () =>
      action === "assign"
        ? call("POST /api/payout-actions/:id/assign", {
            params: { id },
            body: { to: assignee === "" ? null : assignee },
          })
        : call("POST /api/payout-actions/:id/apply", {
            params: { id },
            body: { reason: reason.trim() },
          }),
    onMutate: () => onApplying(true),
    onSettled: () => onApplying(false),
    onSuccess: onApplied,
  });

/** The payouts that the action would change, with their sums and what happens to them. */
function Effect({
  of: { action, qualifying, selected, assignees },
}: {
  readonly of: PayoutAction;
}) {
  const { effect } = messages.actions[action];
  return (
    <>
      <Text fw={600} role="status">
        {messages.canChange(action, qualifying.count, selected)}
      </Text>
      {qualifying.count === 0 ? null : (
        <>
          <PayoutTotals of={qualifying.totals} />
          <CurrentAssignees of={assignees} />
          {action === "cancel" ? (
            <Alert color="red" variant="light">
              {effect}
            </Alert>
          ) : (
            <Text size="sm">{effect}</Text>
          )}
        </>
      )}
    </>
  );
}

const ReasonField = ({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (reason: string) => void;
}) => (
  <Textarea
    label={detailMessages.notes.reason}
    description={detailMessages.notes.reasonHint(REASON_CHARS.min)}
    value={value}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
    maxLength={REASON_CHARS.max}
    autosize
    minRows={2}
    required
    data-autofocus
  />
);
