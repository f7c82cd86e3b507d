import { Alert } from "@mantine/core";
import { BrakeText } from "../../components/payout/circuit-breaker-text.tsx";
import { When } from "../../components/timestamp.tsx";
import { messages } from "./messages.tsx";
import type { BatchPage } from "./queries.ts";

const texts = messages.lanes;

/** The stopped lanes of the batch, and how each one resumes. */
export const Lanes = ({ batch }: { readonly batch: BatchPage }) =>
  batch.lanes.map(({ lane, stopped }) =>
    stopped === null ? null : (
      <Alert key={lane} color="orange" variant="light" title={texts.stopped(lane)}>
        {texts.why(
          stopped.reason,
          texts.needs[stopped.needs],
          stopped.retry_at === null ? null : <When at={stopped.retry_at} />,
        )}
        {stopped.breaker ? <BrakeText breaker={stopped.breaker} /> : null}
      </Alert>
    ),
  );
