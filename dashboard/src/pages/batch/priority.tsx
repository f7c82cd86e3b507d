import { Button, NativeSelect } from "@mantine/core";
import { useState } from "react";
import { call } from "../../client.ts";
import { ConfirmInNumbers } from "../../components/confirm-in-numbers.tsx";
import type { BatchPage } from "./queries.ts";

type Priority = BatchPage["priority"];

const WORDS: readonly { readonly value: Priority; readonly label: string }[] = [
  { value: "urgent", label: "urgent: before all others" },
  { value: "normal", label: "normal: in turn with others" },
  { value: "low", label: "low: after all others" },
];

/** Says which batch goes first where not all can be sent at once, and changes it. */
export function PriorityButton({
  batch,
  again,
}: {
  readonly batch: BatchPage;
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
      <Button variant="default" size="xs" onClick={() => setAsks(true)}>
        Priority: {batch.priority}
      </Button>
      {asks ? (
        <ConfirmInNumbers
          opened
          onClose={() => setAsks(false)}
          title="Priority"
          sentence="It counts where not all can be sent at once. Nothing that was sent changes."
          verb="Set priority"
          asksReason
          onConfirm={set}
        >
          <NativeSelect
            label="This batch is"
            data={[...WORDS]}
            value={priority}
            onChange={({ currentTarget }) => setPriority(currentTarget.value as Priority)}
          />
        </ConfirmInNumbers>
      ) : null}
    </>
  );
}
