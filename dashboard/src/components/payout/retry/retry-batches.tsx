import { Button, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { call } from "../../../server/client.ts";
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
export function RetryBatches({
  id,
  version,
}: {
  readonly id: string;
  /** The state of the batch. The data is loaded again when the state changes. */
  readonly version: string;
}) {
  const mayUpload = useMay("upload");
  const { data: retry } = useQuery({
    queryKey: ["GET /api/batches/:id/retry-batch", id, version],
    queryFn: ({ signal }) => call("GET /api/batches/:id/retry-batch", { params: { id }, signal }),
  });
  if (!retry) return null;
  const { batches, of } = retry;
  const returned = retry.left_out.find(({ why }) => why === "returned");
  if (!returned && batches.length === 0 && of === null) return null;
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
      {batches.map(({ batch_id, state, send }) => (
        <Text size="sm" key={batch_id}>
          {texts.retriedBy(<PageLink to={`/batches/${batch_id}`}>{batch_id}</PageLink>)}{" "}
          <BatchStateBadge state={state} send={send} />
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
          <RetryChanges id={id} reason={of.unchanged_reason} />
        </Suspense>
      )}
    </Section>
  );
}
