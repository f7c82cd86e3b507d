import { Alert, Text } from "@mantine/core";
import { useIsMutating, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense, useDeferredValue } from "react";
import { StatusBreakdown } from "../../../components/payout/status-breakdown.tsx";
import { ErrorState } from "../../../components/error-state.tsx";
import { UserText } from "../../../components/user-text.tsx";
import { PageLink } from "../../../components/page-link.tsx";
import { Later, Loading } from "../../../components/loading.tsx";
import { Page } from "../../../components/page.tsx";
import { RetryBatches } from "../../../components/payout/retry/retry-batches.tsx";
import { Quarantine } from "../../../components/payout/quarantine.tsx";
import { Section } from "../../../components/section.tsx";
import { BatchStateBadge } from "../../../components/payout/state-badge.tsx";
import { isNotFound, RecordNotFound } from "../../../components/payout/record-page.tsx";
import { isQuarantined, isScheduled } from "../../../base/state.ts";
import { Timestamp } from "../../../components/timestamp.tsx";
import { useLive } from "../../../server/live.ts";
import { refetchQuery, refetchIfRunning } from "../../../server/query-client.ts";
import { Canary } from "../canary.tsx";
import { StoppedLanes } from "../stopped-lanes.tsx";
import { StatusCard } from "./status-card.tsx";
import { UploadedAmounts } from "./uploaded-amounts.tsx";
import { Causes, useCauses } from "./causes.tsx";
import { messages } from "../messages.tsx";
import type { BatchView as Batch } from "../batch-view.ts";
import { batchQuery, cancelKey } from "../queries.ts";
import { actionsKey, partCount } from "./status-sentence.ts";
import { Verdict } from "./verdict.tsx";
import { BatchActions } from "./actions/batch-actions.tsx";
import { BatchTabs } from "./tabs.tsx";
import { isolateDirection, batchName, batchOrigin } from "../../../base/text.ts";

const texts = messages.page;

/** Loaded only for a batch with a send time. */
const SendTime = lazy(async () => ({ default: (await import("./send-time.tsx")).SendTime }));

const route = getRouteApi("/dashboard/batches/$id");

/** The page of one batch: its progress, amounts, actions and payouts. */
export function BatchPage() {
  const { id } = route.useParams();
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(batchQuery(id));
  const loaded = useDeferredValue(data);
  const isCancelling = useIsMutating({ mutationKey: cancelKey(id) }) > 0;
  const batch = loaded && isCancelling ? { ...loaded, cancelling: true } : loaded;
  const liveness = useLive([`batch:${id}`], (_topic, view) => {
    const before = client.getQueryData(batchQuery(id).queryKey);
    if (before) client.setQueryData(batchQuery(id).queryKey, { ...before, ...(view as Batch) });
    refetchIfRunning(batchQuery(id));
    // The stream is the same for all readers, so it does not contain the permitted actions.
    if (before && actionsKey(before) !== actionsKey(view as Batch))
      void refetchQuery(batchQuery(id));
  });
  if (isNotFound(error)) return <RecordNotFound noun="batch" code={id} />;
  return (
    <Page
      crumbs={[{ to: "/batches", label: texts.crumb }]}
      title={batch ? isolateDirection(batchName(batch)) : texts.loading}
      badge={batch ? <Badge batch={batch} /> : null}
      facts={batch ? <Origin batch={batch} /> : null}
      actions={batch ? <BatchActions batch={batch} reload={() => void refetch()} /> : null}
    >
      {error && !batch ? <ErrorState error={error} reset={() => void refetch()} /> : null}
      {batch ? (
        <BatchContent batch={batch} liveness={liveness} reload={() => void refetch()} />
      ) : error ? null : (
        <Loading />
      )}
    </Page>
  );
}

function BatchContent({
  batch,
  liveness,
  reload,
}: {
  readonly batch: Batch;
  readonly reload: () => void;
  readonly liveness: ReturnType<typeof useLive>;
}) {
  const isWorking =
    (batch.state === "approved" || batch.state === "paused") && !isScheduled(batch.send);
  // Its amounts are above its payouts, so that the findings come first.
  const isToCorrect =
    batch.state === "needs_correction" && batch.rejected > 0 && batch.equation.length > 0;
  return (
    <>
      <Verdict batch={batch} reload={reload} />
      <Quarantine
        batchId={batch.batch_id}
        reasons={batch.quarantine}
        release={batch.you.release_quarantine}
        reload={reload}
      />
      <Notes batch={batch} />
      <Canary batch={batch} />
      {batch.send === null ? null : (
        <Suspense>
          <SendTime batch={batch} reload={reload} />
        </Suspense>
      )}
      <StoppedLanes batch={batch} />
      {batch.equation.length === 0 ? (
        <Text size="sm">{texts.noAmounts}</Text>
      ) : isToCorrect ? null : (
        <Figures batch={batch} liveness={isWorking ? liveness : null} />
      )}
      <RetryBatches
        id={batch.batch_id}
        version={`${batch.state} ${partCount(batch, "declined")}`}
      />
      <Later>
        <BatchTabs
          batch={batch}
          amounts={
            isToCorrect ? (
              <UploadedAmounts batch={batch} />
            ) : hasParts(batch) ? (
              <Amounts batch={batch} />
            ) : null
          }
        />
      </Later>
    </>
  );
}

/** All payouts are unsent, and payrun does not send them now. */
const isAllUnsent = (batch: Batch): boolean =>
  partCount(batch, "unsent") === batch.payouts &&
  (batch.state === "paused" || isScheduled(batch.send));

/** Some payouts may have another state than the others. */
function hasParts(batch: Batch): boolean {
  const states = new Set(batch.lanes.flatMap((lane) => lane.states.map(({ state }) => state)));
  const isWhole = states.size <= 1 && (batch.approved_at === null || isAllUnsent(batch));
  return batch.equation.length > 0 && !isWhole;
}

/** The payouts by state; only their amounts while all payouts wait. */
function Figures({
  batch,
  liveness,
}: {
  readonly batch: Batch;
  readonly liveness: ReturnType<typeof useLive> | null;
}) {
  return hasParts(batch) ? (
    <StatusCard batch={batch} liveness={liveness} />
  ) : (
    <UploadedAmounts batch={batch} />
  );
}

const approversOf = ({ policy }: Batch): string =>
  policy.approvals
    .filter(({ live }) => live)
    .map(({ name }) => name)
    .join(", ");

const Badge = ({ batch }: { readonly batch: Batch }) => (
  <BatchStateBadge
    state={batch.state}
    rejected={batch.rejected}
    reason={batch.reason}
    send={batch.send}
    cancelling={batch.cancelling}
    needs_duplicate_reason={batch.needs_duplicate_reason}
    quarantined={isQuarantined(batch)}
  />
);

/** Its file, who uploaded and approved it when, and its purpose. */
const Origin = ({ batch }: { readonly batch: Batch }) => (
  <>
    <code>{batch.batch_id}</code>
    {batchName(batch) === batchOrigin(batch) ? null : <UserText text={batchOrigin(batch)} />}
    <span>
      {texts.uploadedBy(
        <UserText text={batch.maker.name} />,
        <Timestamp at={batch.created_at} relative={false} />,
      )}
    </span>
    {batch.approved_at === null ? null : (
      <span>
        {texts.approvedBy(
          <UserText text={approversOf(batch)} />,
          <Timestamp at={batch.approved_at} relative={false} />,
        )}
      </span>
    )}
    {batch.purpose === null || batch.name === null ? null : (
      <span>{texts.purpose(<UserText text={batch.purpose} />)}</span>
    )}
  </>
);

/** The causes of the payouts that failed, above the amount by state. */
function Amounts({ batch }: { readonly batch: Batch }) {
  const isApproved = batch.approved_at !== null;
  const amounts = (
    <Section title={texts.breakdown(isApproved)} isFlush>
      <StatusBreakdown
        lines={batch.equation}
        fees={batch.fees}
        isApproved={isApproved}
        batch={batch}
      />
    </Section>
  );
  const causes = useCauses(batch);
  return (
    <>
      {causes.length > 0 ? <Causes batch={batch} groups={causes} /> : null}
      {amounts}
    </>
  );
}

/** The obstacle to sending the batch, and the next step. */
function Notes({ batch }: { readonly batch: Batch }) {
  const { frozen, policy, state, rejected, batch_id } = batch;
  const isWaiting = state === "awaiting_approval" || state === "draft";
  return (
    <>
      {frozen === null ? null : (
        <Alert color="red" variant="light" title={texts.frozen}>
          {frozen}
        </Alert>
      )}
      {batch.archived === null ? null : (
        <Alert color="gray" variant="light" title={texts.archived(batch.archived.payouts)}>
          {texts.archivedIn(batch.archived.files.join(", "))}
        </Alert>
      )}
      {isWaiting && policy.blocked !== null ? (
        <Alert color="orange" variant="light" title={texts.blocked}>
          {policy.blocked}
        </Alert>
      ) : null}
      {batch.needs_duplicate_reason ? (
        <Alert color="red" variant="light" title={texts.duplicates}>
          {texts.duplicatesText(<UserText text={batch.maker.name} />, (text) => (
            <PageLink to={`/batches/${batch_id}/approval`} isInText>
              {text}
            </PageLink>
          ))}
        </Alert>
      ) : null}
      {rejected > 0 && state !== "needs_correction" ? (
        <Text size="sm">{texts.excluded(rejected)}</Text>
      ) : null}
    </>
  );
}
