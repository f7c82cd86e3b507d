import { Alert, Text } from "@mantine/core";
import { CircuitBreakerText } from "../../components/payout/circuit-breaker-text.tsx";
import { useLaneName } from "../../components/payout/lane-name.tsx";
import { messages } from "./messages.tsx";
import type { BatchView } from "./batch-view.ts";

const texts = messages.canary;

/** The first payouts of each lane, and the payouts that wait until these have settled. */
export function Canary({ batch }: { readonly batch: BatchView }) {
  const nameOf = useLaneName();
  const { canary, approved_at: approvedAt, finished_at: finishedAt } = batch;
  if (approvedAt === null && finishedAt === null) return <PlannedCanary payouts={canary.payouts} />;
  const waiting = canary.lanes.filter(({ state }) => state !== "released");
  const hasFailed = waiting.some(({ state }) => state === "failed");
  if (waiting.length === 0)
    return <Released lanes={canary.lanes.map(({ lane }) => nameOf(lane))} />;
  if (finishedAt !== null) {
    return <Text size="sm">{texts.notReleased(waiting.map(({ lane }) => nameOf(lane)))}</Text>;
  }
  return (
    <Alert
      color={hasFailed ? "red" : "orange"}
      variant="light"
      title={hasFailed ? texts.failed : texts.waiting}
    >
      {waiting.map(({ lane, settled, payouts, reason }) => (
        <Text key={lane} size="sm">
          {texts.settled(nameOf(lane), settled, payouts, reason)}
        </Text>
      ))}
      <CircuitBreakerText breaker={canary.breaker} />
    </Alert>
  );
}

/** Announces the canary of a batch that is not sent yet. */
export const PlannedCanary = ({ payouts }: { readonly payouts: number }) =>
  payouts === 0 ? null : <Text size="sm">{texts.toCome(payouts)}</Text>;

const Released = ({ lanes }: { readonly lanes: readonly string[] }) =>
  lanes.length === 0 ? null : <Text size="sm">{texts.released(lanes)}</Text>;
