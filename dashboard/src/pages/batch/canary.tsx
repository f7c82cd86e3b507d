import { Alert, Button, Group, NumberInput, Text } from "@mantine/core";
import { useState } from "react";
import { call } from "../../client.ts";
import { BrakeText } from "../../components/brake-text.tsx";
import { plural } from "../../words.ts";
import type { BatchPage } from "./queries.ts";

/** The first payouts of each lane, and the rest that waits for them. */
export function Canary({
  batch,
  again,
}: {
  readonly batch: BatchPage;
  readonly again: () => void;
}) {
  const { canary, you } = batch;
  if (you.set_canary.may) return <SetCanary key={canary.payouts} batch={batch} again={again} />;
  const waiting = canary.lanes.filter(({ state }) => state !== "released");
  const hasFailed = waiting.some(({ state }) => state === "failed");
  if (waiting.length === 0) return <Released lanes={canary.lanes} />;
  return (
    <Alert
      color={hasFailed ? "red" : "orange"}
      variant="light"
      title={hasFailed ? "The canary has not settled: needs you" : "The rest waits for the canary"}
    >
      {waiting.map(({ lane, settled, payouts, reason }) => (
        <Text key={lane} size="sm">
          {lane}: {settled} of {plural(payouts, "payout")} settled.{reason ? ` ${reason}.` : ""}
        </Text>
      ))}
      <BrakeText brake={canary.brake} />
    </Alert>
  );
}

const Released = ({ lanes }: { readonly lanes: BatchPage["canary"]["lanes"] }) =>
  lanes.length === 0 ? null : (
    <Text size="sm">
      The canary let the rest follow in {lanes.map(({ lane }) => lane).join(", ")}.
    </Text>
  );

const MOST = 10_000;

function SetCanary({ batch, again }: { readonly batch: BatchPage; readonly again: () => void }) {
  const [payouts, setPayouts] = useState<number>(batch.canary.payouts);
  const [isBusy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      const params = { id: batch.batch_id };
      await call("POST /api/batches/:id/canary", { params, body: { payouts } });
      again();
    } finally {
      setBusy(false);
    }
  };
  return (
    <Group align="flex-end" gap="sm">
      <NumberInput
        label="Canary"
        description="So many payouts of each lane must settle before the rest is sent; 0: none"
        min={0}
        max={MOST}
        allowDecimal={false}
        value={payouts}
        onChange={(value) => setPayouts(Number(value) || 0)}
      />
      <Button
        variant="default"
        loading={isBusy}
        disabled={payouts === batch.canary.payouts}
        onClick={() => void save()}
      >
        Set
      </Button>
    </Group>
  );
}
