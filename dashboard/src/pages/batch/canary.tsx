import { Alert, Button, Group, NumberInput, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../client.ts";
import { BrakeText } from "../../components/brake-text.tsx";
import { ErrorState } from "../../components/error-state.tsx";
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
  const { canary, you, approved_at: approvedAt, finished_at: finishedAt } = batch;
  if (approvedAt === null && finishedAt === null) {
    if (you.set_canary.may) return <SetCanary key={canary.payouts} batch={batch} again={again} />;
    return <CanaryToCome payouts={canary.payouts} />;
  }
  const waiting = canary.lanes.filter(({ state }) => state !== "released");
  const hasFailed = waiting.some(({ state }) => state === "failed");
  if (waiting.length === 0) return <Released lanes={canary.lanes} />;
  if (finishedAt !== null) {
    return (
      <Text size="sm">
        The canary did not let the rest follow in {waiting.map(({ lane }) => lane).join(", ")}.
      </Text>
    );
  }
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

/** Before anything is sent: how much of it goes first. */
export const CanaryToCome = ({ payouts }: { readonly payouts: number }) =>
  payouts === 0 ? null : (
    <Text size="sm">
      A canary goes first: {plural(payouts, "payout")} of each lane. The rest follows when{" "}
      {payouts === 1 ? "it has" : "they have"} settled.
    </Text>
  );

const Released = ({ lanes }: { readonly lanes: BatchPage["canary"]["lanes"] }) =>
  lanes.length === 0 ? null : (
    <Text size="sm">
      The canary let the rest follow in {lanes.map(({ lane }) => lane).join(", ")}.
    </Text>
  );

const MOST = 10_000;

function SetCanary({ batch, again }: { readonly batch: BatchPage; readonly again: () => void }) {
  const [payouts, setPayouts] = useState<number>(batch.canary.payouts);
  const set = useMutation({
    mutationFn: () => {
      const params = { id: batch.batch_id };
      return call("POST /api/batches/:id/canary", { params, body: { payouts } });
    },
    // Where it was refused, what is shown is no more so either.
    onSettled: again,
  });
  return (
    <>
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
          loading={set.isPending}
          disabled={payouts === batch.canary.payouts}
          onClick={() => set.mutate()}
        >
          Set
        </Button>
      </Group>
      {set.error ? <ErrorState error={set.error} /> : null}
    </>
  );
}
