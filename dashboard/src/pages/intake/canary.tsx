import { Alert, Button, Group, NumberInput, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../server/client.ts";
import { CircuitBreakerText } from "../../components/payout/circuit-breaker-text.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { messages } from "./messages.tsx";
import type { BatchView } from "./queries.ts";

const texts = messages.canary;

/** The first payouts of each lane, and the payouts that wait until these have settled. */
export function Canary({
  batch,
  reload,
}: {
  readonly batch: BatchView;
  readonly reload: () => void;
}) {
  const { canary, you, approved_at: approvedAt, finished_at: finishedAt } = batch;
  if (approvedAt === null && finishedAt === null) {
    if (you.set_canary.may) return <SetCanary key={canary.payouts} batch={batch} reload={reload} />;
    return <PlannedCanary payouts={canary.payouts} />;
  }
  const waiting = canary.lanes.filter(({ state }) => state !== "released");
  const hasFailed = waiting.some(({ state }) => state === "failed");
  if (waiting.length === 0) return <Released lanes={canary.lanes} />;
  if (finishedAt !== null) {
    return <Text size="sm">{texts.notReleased(waiting.map(({ lane }) => lane))}</Text>;
  }
  return (
    <Alert
      color={hasFailed ? "red" : "orange"}
      variant="light"
      title={hasFailed ? texts.failed : texts.waiting}
    >
      {waiting.map(({ lane, settled, payouts, reason }) => (
        <Text key={lane} size="sm">
          {texts.settled(lane, settled, payouts, reason)}
        </Text>
      ))}
      <CircuitBreakerText breaker={canary.breaker} />
    </Alert>
  );
}

/** Announces the canary of a batch that is not sent yet. */
export const PlannedCanary = ({ payouts }: { readonly payouts: number }) =>
  payouts === 0 ? null : <Text size="sm">{texts.toCome(payouts)}</Text>;

const Released = ({ lanes }: { readonly lanes: BatchView["canary"]["lanes"] }) =>
  lanes.length === 0 ? null : (
    <Text size="sm">{texts.released(lanes.map(({ lane }) => lane))}</Text>
  );

const MOST = 10_000;

function SetCanary({ batch, reload }: { readonly batch: BatchView; readonly reload: () => void }) {
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
