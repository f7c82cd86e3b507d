import { Text } from "@mantine/core";
import { Fragment } from "react";
import { batchStateDisplay } from "../../../base/state.ts";
import { PageLink } from "../../../components/page-link.tsx";
import { UserText } from "../../../components/user-text.tsx";
import type { FailureGroup } from "./failure-groups.ts";
import { messages } from "./list-messages.ts";

type RetryBatch = FailureGroup["retry_batches"][number];

/** The batches that retry payouts of a failure group, each with its state and send time. */
export function RetriedIn({ batches }: { readonly batches: readonly RetryBatch[] }) {
  return batches.map((batch) => (
    <Fragment key={batch.batch_id}>
      <div>
        {messages.retriedIn(batch.count)}{" "}
        <PageLink to={`/batches/${batch.batch_id}`}>
          <UserText text={batch.name} />
        </PageLink>
      </div>
      <Text size="xs" c="dimmed" component="div">
        {stateOf(batch)}
      </Text>
    </Fragment>
  ));
}

const stateOf = (batch: RetryBatch): string => {
  const { state, send } = batch;
  const { word } = batchStateDisplay(batch);
  return state === "approved" && send?.released_at === null ? `${word}: ${send.says}` : word;
};
