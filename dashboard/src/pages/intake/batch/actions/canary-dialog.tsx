import { NumberInput } from "@mantine/core";
import { useState } from "react";
import { ConfirmAction, unavailableReason } from "../../../../components/forms/confirm-action.tsx";
import { call } from "../../../../server/client.ts";
import { messages } from "../../messages.tsx";
import type { BatchView } from "../../batch-view.ts";

const texts = messages.canary;

const MOST = 10_000;

/** The dialog for the number of payouts that are sent first in each lane. */
export default function CanaryDialog({
  batch,
  reload,
  onClose,
}: {
  readonly batch: BatchView;
  readonly reload: () => void;
  readonly onClose: () => void;
}) {
  const [payouts, setPayouts] = useState(batch.canary.payouts);
  const set = async (): Promise<void> => {
    try {
      const params = { id: batch.batch_id };
      await call("POST /api/batches/:id/canary", { params, body: { payouts } });
    } finally {
      // A refusal means that the page is out of date.
      reload();
    }
  };
  return (
    <ConfirmAction
      opened
      onClose={onClose}
      title={texts.label}
      sentence={texts.description}
      verb={texts.set}
      passed={unavailableReason(batch.you.set_canary)}
      onConfirm={set}
    >
      <NumberInput
        label={texts.payouts}
        description={texts.none}
        min={0}
        max={MOST}
        allowDecimal={false}
        value={payouts}
        onChange={(value) => setPayouts(Number(value) || 0)}
      />
    </ConfirmAction>
  );
}
