import { Alert, Button, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { lazy, Suspense, useDeferredValue, useEffect, useState } from "react";
import { isolateDirection, batchName, batchOrigin } from "../../../base/text.ts";
import { isQuarantined } from "../../../base/state.ts";
import { columnName } from "../../../components/payout/column-messages.ts";
import { UnreadComments } from "../../../components/comments/unread-comments.tsx";
import { messages as commentMessages } from "../../../components/comments/messages.ts";
import { ErrorState } from "../../../components/error-state.tsx";
import { FactList } from "../../../components/fact-list.tsx";
import { Later, Loading } from "../../../components/loading.tsx";
import { Page } from "../../../components/page.tsx";
import { FrozenLedgerAlert } from "../../../components/payout/frozen-ledger-alert.tsx";
import { PriorityButton } from "../../../components/payout/priority.tsx";
import { Quarantine } from "../../../components/payout/quarantine.tsx";
import { isNotFound, RecordNotFound } from "../../../components/payout/record-page.tsx";
import { RetryBatches } from "../../../components/payout/retry/retry-batches.tsx";
import { BatchStateBadge } from "../../../components/payout/state-badge.tsx";
import { Section } from "../../../components/section.tsx";
import { useNow, Timestamp } from "../../../components/timestamp.tsx";
import { TwoColumns } from "../../../components/two-columns.tsx";
import { UserText } from "../../../components/user-text.tsx";
import { PlannedCanary } from "../../intake/canary.tsx";
import { batchQuery } from "../../intake/queries.ts";
import { LeftOutRows } from "../../intake/left-out-rows.tsx";
import { scheduledSendText } from "../../intake/scheduled-send-text.ts";
import { StoppedLanes } from "../../intake/stopped-lanes.tsx";
import { type Acknowledgements, useAcknowledgements } from "./acknowledgements.ts";
import { flagsOf, passedChecks } from "./anomalies.tsx";
import { ApprovalSteps } from "./approval-steps.tsx";
import { Decision } from "./decision.tsx";
import { DecisionOutcome } from "./decision-outcome.tsx";
import { ExactDuplicates } from "./exact-duplicates.tsx";
import { messages } from "../messages.tsx";
import { payoutsIn } from "../payouts-in.ts";
import { type ApprovalSheet, approvalSheetQuery, fileQuery } from "../queries.ts";
import { ReviewRows } from "./review-rows.tsx";
import { SentFields } from "./sent/sent-fields.tsx";
import { Totals } from "./totals.tsx";
import { Verdict } from "./verdict.tsx";
import classes from "./approval-sheet.module.css";

/** Loaded after the facts that the reader decides on. */
const Comments = lazy(async () => ({
  default: (await import("../../../components/comments/comments.tsx")).Comments,
}));

const texts = messages.sheet;
const route = getRouteApi("/dashboard/batches/$id/approval");

const CRUMBS = [{ to: "/approvals", label: messages.list.title }];

/** The approval page: the verdict, the totals and the rows, with the decision in a bar below. */
export function ApprovalSheetPage() {
  const { id } = route.useParams();
  const { data, error, refetch } = useQuery(approvalSheetQuery(id));
  const sheet = useDeferredValue(data);
  const reload = (): void => void refetch();
  if (isNotFound(error)) return <RecordNotFound noun="batch" code={id} />;
  if (!sheet) {
    return (
      <Page title={texts.loading} crumbs={CRUMBS}>
        {error ? <ErrorState error={error} reset={reload} /> : <Loading />}
      </Page>
    );
  }
  return (
    <Page
      title={titleOf(sheet)}
      crumbs={CRUMBS}
      badge={
        <BatchStateBadge
          state={sheet.state}
          rejected={sheet.rejected}
          reason={sheet.reason}
          send={sheet.send}
          needs_duplicate_reason={sheet.needs_duplicate_reason}
          quarantined={isQuarantined(sheet)}
        />
      }
      facts={<Facts sheet={sheet} />}
      actions={
        <Group gap="xs">
          <PriorityButton batch={sheet} may={sheet.you.prioritize} reload={reload} />
          <Button component={Link} to={`/batches/${id}`} variant="default" size="sm">
            {texts.openBatch}
          </Button>
        </Group>
      }
    >
      <SheetView sheet={sheet} reload={reload} />
    </Page>
  );
}

const isWaiting = ({ state }: ApprovalSheet): boolean => state === "awaiting_approval";

const titleOf = (sheet: ApprovalSheet): string =>
  isWaiting(sheet) && !sheet.needs_duplicate_reason
    ? texts.question(isolateDirection(batchName(sheet)))
    : texts.title(isolateDirection(batchName(sheet)));

function SheetView({
  sheet,
  reload,
}: {
  readonly sheet: ApprovalSheet;
  readonly reload: () => void;
}) {
  const [isChanged, review] = useIsChanged(sheet, reload);
  const acknowledgements = useAcknowledgements(sheet);
  const subject = { batch: sheet.batch_id };
  return (
    <div className={classes.sheet} data-waiting={isWaiting(sheet) || undefined}>
      {isChanged && isWaiting(sheet) ? (
        <Alert role="alert" color="orange" variant="light" title={texts.changed}>
          <Button size="xs" variant="default" onClick={review}>
            {texts.reviewAgain}
          </Button>
        </Alert>
      ) : null}
      {isWaiting(sheet) ? <AfterApproval id={sheet.batch_id} /> : <DecisionOutcome of={sheet} />}
      <Quarantine
        batchId={sheet.batch_id}
        reasons={sheet.quarantine}
        release={sheet.you.release_quarantine}
        reload={reload}
      />
      <ExactDuplicates sheet={sheet} reload={reload} />
      <TwoColumns
        main={
          <>
            <SheetVerdict sheet={sheet} acknowledgements={acknowledgements} />
            <RetryBatches id={sheet.batch_id} version={sheet.state} withChanges={false} />
            <Totals sheet={sheet} />
            <Later>
              <ReviewRows sheet={sheet} />
              <LeftOutRows batchId={sheet.batch_id} mayPutBack={false} />
              <SentFields sheet={sheet} />
            </Later>
          </>
        }
        side={
          <Later>
            <ApprovalSteps sheet={sheet} />
            <FileFacts sheet={sheet} />
            <Section title={commentMessages.title} badge={<UnreadComments subject={subject} />}>
              <Suspense fallback={<Loading />}>
                <Comments subject={subject} />
              </Suspense>
            </Section>
          </Later>
        }
      />
      <Decision sheet={sheet} acknowledgements={acknowledgements} reload={reload} />
    </div>
  );
}

function SheetVerdict({
  sheet,
  acknowledgements,
}: {
  readonly sheet: ApprovalSheet;
  readonly acknowledgements: Acknowledgements;
}) {
  const { anomalies, totals } = sheet;
  const payouts = payoutsIn(totals);
  if (anomalies === null) {
    return (
      <Section title={messages.verdict.searching}>
        <Text size="sm" role="status">
          {texts.searching}
        </Text>
      </Section>
    );
  }
  const passed = passedChecks(sheet);
  return (
    <Verdict
      flags={flagsOf(sheet)}
      summary={
        <>
          {messages.verdict.summary(payouts, totals.length)} <Timestamp at={anomalies.at} />
        </>
      }
      passed={passed}
      acknowledgements={acknowledgements}
    />
  );
}

/** How payrun read the file: the format that the uploader confirmed, corrections and exclusions. */
function FileFacts({ sheet }: { readonly sheet: ApprovalSheet }) {
  const { data } = useQuery(fileQuery(sheet));
  const mapped = (data?.file.columns ?? []).flatMap(({ name, column }) =>
    column === null || column === name ? [] : [texts.column(name, columnName(column))],
  );
  return (
    <Section title={texts.file} foldsOnPhone>
      <FactList
        facts={[
          [texts.fileName, batchOrigin(sheet)],
          ...(data?.file.amounts
            ? [
                [
                  texts.amounts,
                  texts.amountFormat(data.file.amounts, data.file.amounts_confirmed),
                ] as const,
              ]
            : []),
          ...(mapped.length === 0 ? [] : [[texts.columns, mapped.join(", ")] as const]),
          [texts.corrections, texts.corrected(sheet.corrected)],
          [texts.excludedRows, texts.excluded(sheet.rejected, sheet.rows)],
          [texts.digest, <code key="digest">{sheet.content_digest.slice(0, 16)}</code>],
        ]}
      />
    </Section>
  );
}

/**
 * Compares the page with the batch every five seconds. A new state or approval reloads the page.
 * New content only shows a notice, because the reader approves the content that they opened.
 */
function useIsChanged(sheet: ApprovalSheet, reload: () => void): readonly [boolean, () => void] {
  const { batch_id: id, content_digest: digest } = sheet;
  const [opened, setOpened] = useState(digest);
  const { data: now, dataUpdatedAt } = useQuery({ ...batchQuery(id), refetchInterval: 5_000 });
  const isOther = now !== undefined && now.content_digest !== digest;
  const hasMoved =
    now !== undefined &&
    (now.state !== sheet.state || (!isOther && now.policy.given !== sheet.policy.given));
  useEffect(() => {
    if (hasMoved) reload();
    // oxlint-disable-next-line react/exhaustive-deps -- once for each answer, not for each rendering
  }, [hasMoved, dataUpdatedAt]);
  const review = (): void => {
    setOpened(now?.content_digest ?? digest);
    reload();
  };
  return [isOther || digest !== opened, review];
}

/** Shows what happens after approval: a frozen ledger, missed cut-offs, lanes and the canary. */
function AfterApproval({ id }: { readonly id: string }) {
  const { data: batch } = useQuery(batchQuery(id));
  if (!batch) return null;
  return (
    <>
      {batch.frozen === null ? null : (
        <FrozenLedgerAlert reason={batch.frozen}>{texts.frozen}</FrozenLedgerAlert>
      )}
      <StoppedLanes batch={batch} />
      <PlannedCanary payouts={batch.canary.payouts} />
    </>
  );
}

function Facts({ sheet }: { readonly sheet: ApprovalSheet }) {
  const { maker, purpose, created_at, batch_id } = sheet;
  const nowMs = useNow();
  return (
    <>
      <span>{texts.uploadedBy(<UserText text={maker.name} />, <Timestamp at={created_at} />)}</span>
      {purpose === null || sheet.name === null ? null : (
        <span>{texts.purpose(<UserText text={purpose} />)}</span>
      )}
      <span>{batch_id}</span>
      {sheet.you.prioritize.may ? null : <span>{texts.priority(sheet.priority)}</span>}
      <span>{sendTimeOf(sheet, nowMs)}</span>
    </>
  );
}

/** When payrun sends the batch; null if that is past or will never happen. */
const sendTimeOf = (sheet: ApprovalSheet, nowMs: number): string | null =>
  isWaiting(sheet) && sheet.send === null
    ? texts.sentAfterApproval
    : scheduledSendText(sheet, nowMs);
