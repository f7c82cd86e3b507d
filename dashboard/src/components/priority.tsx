import { Button, NativeSelect } from "@mantine/core";
import { useState } from "react";
import { type Answer, call } from "../client.ts";
import { ConfirmInNumbers, type May, passedOf } from "./confirm-in-numbers.tsx";

type Batch = Pick<Answer<"GET /api/batches/:id">, "batch_id" | "priority">;
export type Priority = Batch["priority"];

const WORDS: readonly { readonly value: Priority; readonly label: string }[] = [
  { value: "urgent", label: "urgent: before all others" },
  { value: "normal", label: "normal: in turn with others" },
  { value: "low", label: "low: after all others" },
];

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
    data={[...WORDS]}
    value={priority}
    onChange={({ currentTarget }) => onChange(currentTarget.value as Priority)}
  />
);

/** Says which batch goes first where not all can be sent at once, and changes it. */
export function PriorityButton({
  batch,
  may,
  again,
}: {
  readonly batch: Batch;
  readonly may: May;
  readonly again: () => void;
}) {
  const [asks, setAsks] = useState(false);
  const [priority, setPriority] = useState<Priority>(batch.priority);
  const set = async ({ reason }: { readonly reason: string }) => {
    const params = { id: batch.batch_id };
    await call("POST /api/batches/:id/priority", { params, body: { priority, reason } });
    again();
  };
  return (
    <>
      {may.may ? (
        <Button variant="default" size="xs" onClick={() => setAsks(true)}>
          Priority: {batch.priority}
        </Button>
      ) : null}
      {asks ? (
        <ConfirmInNumbers
          opened
          onClose={() => setAsks(false)}
          title="Priority"
          sentence="It counts where not all can be sent at once. Nothing that was sent changes."
          verb="Set priority"
          asksReason
          passed={passedOf(may)}
          onConfirm={set}
        >
          <PrioritySelect label="This batch is" priority={priority} onChange={setPriority} />
        </ConfirmInNumbers>
      ) : null}
    </>
  );
}
