import { Alert, Group, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Equation } from "../../../components/payout/status-breakdown.tsx";
import { ErrorState } from "../../../components/error-state.tsx";
import { Given } from "../../../components/user-text.tsx";
import { Go } from "../../../components/page-link.tsx";
import { Loading } from "../../../components/loading.tsx";
import { Page } from "../../../components/page.tsx";
import { RemainderOf } from "../../../components/payout/retry-batches.tsx";
import { Quarantine } from "../../../components/payout/quarantine.tsx";
import { Section } from "../../../components/section.tsx";
import { BatchStateBadge } from "../../../components/payout/state-badge.tsx";
import { isNotThere, NotThere } from "../../../components/payout/record-page.tsx";
import { StateBar } from "../../../components/payout/state-bar.tsx";
import { isQuarantined } from "../../../base/state.ts";
import { When } from "../../../components/timestamp.tsx";
import { useLive } from "../../../server/live.ts";
import { askAgain, outrun } from "../../../server/query-client.ts";
import { Canary } from "../canary.tsx";
import { Charts } from "./progress-charts.tsx";
import { GoesOut } from "./send-time.tsx";
import { Lanes } from "../stopped-lanes.tsx";
import { LiveLine } from "./live-status.tsx";
import { messages } from "../messages.tsx";
import { type BatchPage as Batch, batchQuery } from "../queries.ts";
import { countOf, sentenceOf, steeredBy } from "./status-sentence.ts";
import { Steering } from "./batch-actions.tsx";
import { BatchTabs } from "./tabs.tsx";
import { apart, calledOf } from "../../../base/text.ts";

const texts = messages.page;

const route = getRouteApi("/desk/batches/$id");

/** The page of one batch: its progress, amounts, actions and payouts. */
export function BatchPage() {
  const { id } = route.useParams();
  const client = useQueryClient();
  const { data: batch, error, refetch } = useQuery(batchQuery(id));
  const liveness = useLive([`batch:${id}`], (_topic, view) => {
    const before = client.getQueryData(batchQuery(id).queryKey);
    if (before) client.setQueryData(batchQuery(id).queryKey, { ...before, ...(view as Batch) });
    outrun(batchQuery(id));
    // The stream is the same for all readers, so it does not contain the permitted actions.
    if (before && steeredBy(before) !== steeredBy(view as Batch)) void askAgain(batchQuery(id));
  });
  if (isNotThere(error)) return <NotThere noun="batch" code={id} />;
  return (
    <Page
      title={batch ? apart(calledOf(batch)) : texts.loading}
      actions={batch ? <Steering batch={batch} again={() => void refetch()} /> : null}
    >
      {error && !batch ? <ErrorState error={error} reset={() => void refetch()} /> : null}
      {batch ? (
        <BatchView batch={batch} liveness={liveness} again={() => void refetch()} />
      ) : error ? null : (
        <Loading />
      )}
    </Page>
  );
}

function BatchView({
  batch,
  liveness,
  again,
}: {
  readonly batch: Batch;
  readonly again: () => void;
  readonly liveness: ReturnType<typeof useLive>;
}) {
  const isWorking = batch.state === "approved" || batch.state === "paused";
  return (
    <>
      <Group gap="sm">
        <BatchStateBadge
          state={batch.state}
          rejected={batch.rejected}
          reason={batch.reason}
          send={batch.send}
          quarantined={isQuarantined(batch)}
        />
        <Text size="sm" c="dimmed">
          {batch.batch_id}
          {batch.name === null ? null : (
            <>
              {" · "}
              <Given text={batch.file} />
            </>
          )}
          {" · "}
          {texts.uploadedBy(<Given text={batch.maker.name} />, <When at={batch.created_at} />)}
        </Text>
      </Group>
      {batch.purpose === null ? null : (
        <Text size="sm">{texts.purpose(<Given text={batch.purpose} />)}</Text>
      )}
      <Text>{sentenceOf(batch)}</Text>
      <Quarantine
        batchId={batch.batch_id}
        causes={batch.quarantine}
        release={batch.you.release_quarantine}
        again={again}
      />
      <Notes batch={batch} />
      <Canary batch={batch} again={again} />
      <GoesOut batch={batch} again={again} />
      <Section
        title={texts.amounts}
        actions={isWorking ? <LiveLine liveness={liveness} batch={batch} /> : null}
      >
        {batch.equation.length === 0 ? (
          <Text size="sm">{texts.noAmounts}</Text>
        ) : (
          <>
            <StateBar parts={partsOf(batch)} label={texts.payouts} />
            <Equation lines={batch.equation} isApproved={batch.approved_at !== null} />
          </>
        )}
      </Section>
      <RemainderOf id={batch.batch_id} again={`${batch.state} ${countOf(batch, "declined")}`} />
      <Lanes batch={batch} />
      {batch.approved_at === null ? null : <Charts id={batch.batch_id} isWorking={isWorking} />}
      <BatchTabs batch={batch} />
    </>
  );
}

const partsOf = (batch: Batch) =>
  (batch.equation[0]?.parts ?? []).map(({ part }) => ({ part, count: countOf(batch, part) }));

/** The obstacle to sending the batch, and the next step. */
function Notes({ batch }: { readonly batch: Batch }) {
  const { frozen, policy, state, rejected, batch_id } = batch;
  const isWaiting = state === "awaiting_approval";
  return (
    <>
      {frozen === null ? null : (
        <Alert color="red" variant="light" title={texts.frozen}>
          {frozen}
        </Alert>
      )}
      {isWaiting && policy.blocked !== null ? (
        <Alert color="orange" variant="light" title={texts.blocked}>
          {policy.blocked}
        </Alert>
      ) : null}
      {isWaiting ? (
        <Text size="sm">
          {texts.toApprove(policy.missing, policy.why, (text) => (
            <Go to={`/batches/${batch_id}/approval`}>{text}</Go>
          ))}
        </Text>
      ) : null}
      {state === "needs_correction" ? (
        <Text size="sm">
          {texts.toCorrect((text) => (
            <Go to={`/batches/${batch_id}/file`}>{text}</Go>
          ))}
        </Text>
      ) : null}
      {rejected > 0 ? <Text size="sm">{texts.excluded(rejected)}</Text> : null}
    </>
  );
}
