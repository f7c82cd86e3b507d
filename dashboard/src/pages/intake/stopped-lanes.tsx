import { Alert } from "@mantine/core";
import { CircuitBreakerText } from "../../components/payout/circuit-breaker-text.tsx";
import { useLaneName } from "../../components/payout/lane-name.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { messages } from "./messages.tsx";
import type { BatchView } from "./queries.ts";

const texts = messages.lanes;

/** The stopped lanes of the batch, and how each one resumes. */
export function StoppedLanes({ batch }: { readonly batch: BatchView }) {
  const nameOf = useLaneName();
  return batch.lanes.map(({ lane, stopped }) =>
    stopped === null ? null : (
      <Alert key={lane} color="orange" variant="light" title={texts.stopped(nameOf(lane))}>
        {texts.why(
          stopped.reason,
          texts.needs[stopped.needs],
          stopped.retry_at === null ? null : <Timestamp at={stopped.retry_at} />,
        )}
        {stopped.breaker ? <CircuitBreakerText breaker={stopped.breaker} /> : null}
      </Alert>
    ),
  );
}
