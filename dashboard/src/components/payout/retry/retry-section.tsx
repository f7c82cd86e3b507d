import { Button, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import type { Answer } from "../../../server/client.ts";
import { formatMoney } from "../../../base/money.ts";
import { useMay } from "../../../server/session.ts";
import { batchName } from "../../../base/text.ts";
import { UserText } from "../../user-text.tsx";
import { PageLink } from "../../page-link.tsx";
import { Section } from "../../section.tsx";
import { BatchStateBadge } from "../state-badge.tsx";
import { RetriedShares } from "./retried-shares.tsx";
import { messages as texts } from "./retry-messages.tsx";

/** Loaded for retry batches only. */
const RetryChanges = lazy(async () => ({
  default: (await import("./retry-changes.tsx")).RetryChanges,
}));

/** The retry batches of a batch, its returned payouts, and the batch that it retries itself. */
export default function RetrySection({
  id,
  retry,
  withChanges,
}: {
  readonly id: string;
  readonly retry: Answer<"GET /api/batches/:id/retry-batch">;
  readonly withChanges: boolean;
}) {
  const mayUpload = useMay("upload");
  const { batches, of } = retry;
  const returned = retry.left_out.find(({ why }) => why === "returned");
  return (
    <Section title={texts.title}>
      <RetriedShares of={retry.retried} />
      {of === null ? null : (
        <Text size="sm">
          {texts.retries(
            <PageLink to={`/batches/${of.batch_id}`}>
              <UserText text={batchName(of)} />
            </PageLink>,
          )}
        </Text>
      )}
      {batches.map((batch) => (
        <Text size="sm" key={batch.batch_id}>
          {texts.retriedBy(<PageLink to={`/batches/${batch.batch_id}`}>{batch.batch_id}</PageLink>)}{" "}
          <BatchStateBadge {...batch} />
        </Text>
      ))}
      {returned ? (
        <Text size="sm">
          {texts.returned(
            texts.share(
              returned.count,
              returned.sums.map((sum) => formatMoney(sum)),
            ),
          )}
        </Text>
      ) : null}
      {returned && mayUpload ? (
        <div>
          <Button component={Link} to={`/batches/${id}/retry`} variant="default" size="xs">
            {texts.start}
          </Button>
        </div>
      ) : null}
      {of === null ? null : (
        <Suspense>
          <RetryChanges id={id} reason={of.unchanged_reason} withRows={withChanges} />
        </Suspense>
      )}
    </Section>
  );
}
