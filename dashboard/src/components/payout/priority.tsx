import { Button, NativeSelect } from "@mantine/core";
import { useState } from "react";
import { type Answer, call } from "../../server/client.ts";
import {
  ConfirmAction,
  type ActionPermission,
  unavailableReason,
} from "../forms/confirm-action.tsx";
import { detailMessages } from "../detail-messages.tsx";

const texts = detailMessages.priority;

type Batch = Pick<Answer<"GET /api/batches/:id">, "batch_id" | "priority">;

/** The priority of a batch, which decides whose payouts are sent first. */
export type Priority = Batch["priority"];

const CHOICES = Object.entries(texts.labels).map(([value, label]) => ({ value, label }));

/** A field for the priority of a batch. */
export const PrioritySelect = ({
  label,
  description,
  priority,
  onChange,
}: {
  readonly label: string;
  readonly description?: string;
  readonly priority: Priority;
  readonly onChange: (priority: Priority) => void;
}) => (
  <NativeSelect
    label={label}
    description={description}
    data={CHOICES}
    value={priority}
    onChange={({ currentTarget }) => onChange(currentTarget.value as Priority)}
  />
);

interface PriorityProps {
  readonly batch: Batch;
  readonly may: ActionPermission;
  readonly reload: () => void;
}

/** The dialog that changes the order in which batches are sent. */
export function PriorityDialog({
  batch,
  may,
  reload,
  onClose,
}: PriorityProps & { readonly onClose: () => void }) {
  const [priority, setPriority] = useState<Priority>(batch.priority);
  const set = async ({ reason }: { readonly reason: string }) => {
    const params = { id: batch.batch_id };
    await call("POST /api/batches/:id/priority", { params, body: { priority, reason } });
    reload();
  };
  return (
    <ConfirmAction
      opened
      onClose={onClose}
      title={texts.title}
      sentence={texts.sentence}
      verb={texts.save}
      asksReason
      passed={unavailableReason(may)}
      onConfirm={set}
    >
      <PrioritySelect label={texts.ofBatch} priority={priority} onChange={setPriority} />
    </ConfirmAction>
  );
}

/** The button that shows and changes the order in which batches are sent. */
export function PriorityButton(props: PriorityProps) {
  const [asks, setAsks] = useState(false);
  return (
    <>
      {props.may.may ? (
        <Button variant="default" size="xs" onClick={() => setAsks(true)}>
          {texts.button(props.batch.priority)}
        </Button>
      ) : null}
      {asks ? <PriorityDialog {...props} onClose={() => setAsks(false)} /> : null}
    </>
  );
}
