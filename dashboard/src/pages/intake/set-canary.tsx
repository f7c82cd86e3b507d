import { Button, Group, NumberInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { ErrorState } from "../../components/error-state.tsx";
import { call } from "../../server/client.ts";
import { messages } from "./messages.tsx";
import type { BatchView } from "./queries.ts";

const texts = messages.canary;

const MOST = 10_000;

/** The form for the number of payouts that are sent first in each lane. */
export default function SetCanary({
  batch,
  reload,
}: {
  readonly batch: BatchView;
  readonly reload: () => void;
}) {
  const [payouts, setPayouts] = useState<number>(batch.canary.payouts);
  const set = useMutation({
    mutationFn: () => {
      const params = { id: batch.batch_id };
      return call("POST /api/batches/:id/canary", { params, body: { payouts } });
    },
    // A refusal means that the page is out of date.
    onSettled: reload,
  });
  return (
    <>
      <Group align="flex-end" gap="sm">
        <NumberInput
          label={texts.label}
          description={texts.description}
          min={0}
          max={MOST}
          allowDecimal={false}
          value={payouts}
          onChange={(value) => setPayouts(Number(value) || 0)}
        />
        <Button
          variant="default"
          loading={set.isPending}
          disabled={payouts === batch.canary.payouts}
          onClick={() => set.mutate()}
        >
          {texts.set}
        </Button>
      </Group>
      {set.error ? <ErrorState error={set.error} /> : null}
    </>
  );
}
