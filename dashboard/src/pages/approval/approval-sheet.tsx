import { Alert, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { isolateDirection, batchName } from "../../base/text.ts";
import { Amount } from "../../components/amount.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { FrozenLedgerAlert } from "../../components/payout/frozen-ledger-alert.tsx";
import { PageLink } from "../../components/page-link.tsx";
import { Loading } from "../../components/loading.tsx";
import { Page } from "../../components/page.tsx";
import { PriorityButton } from "../../components/payout/priority.tsx";
import { Section } from "../../components/section.tsx";
import { BatchStateBadge } from "../../components/payout/state-badge.tsx";
import { isNotFound, RecordNotFound } from "../../components/payout/record-page.tsx";
import { useNow, Timestamp } from "../../components/timestamp.tsx";
import { PlannedCanary } from "../intake/canary.tsx";
import { StoppedLanes } from "../intake/stopped-lanes.tsx";
import { batchQuery } from "../intake/queries.ts";
import { scheduledSendText } from "../intake/scheduled-send-text.ts";
import { Comments, UnreadComments } from "../../components/comments/comments.tsx";
import { messages as commentMessages } from "../../components/comments/messages.ts";
import { Decision } from "./decision.tsx";
import { Comparison } from "./comparison.tsx";
import { RecordedApprovals } from "./recorded-approvals.tsx";
import { LimitCheck } from "./limit-check.tsx";
import { messages } from "./messages.tsx";
import { DecisionOutcome } from "./decision-outcome.tsx";
import { SentFields } from "./sent-fields.tsx";
import { type ApprovalSheet, approvalSheetQuery } from "./queries.ts";
import { Quarantine } from "../../components/payout/quarantine.tsx";
import { ExactDuplicates } from "./exact-duplicates.tsx";
import { isQuarantined } from "../../base/state.ts";
import classes from "./approval-sheet.module.css";
import { NumberColumnsWarning, FileWarnings, Anomalies } from "./anomalies.tsx";
import { UserText } from "../../components/user-text.tsx";

const texts = messages.sheet;
const route = getRouteApi("/dashboard/batches/$id/approval");

/** The approval page: totals, anomalies and the decision first, then the details. */
export function ApprovalSheetPage() {
  const { id } = route.useParams();
  const { data: sheet, error, refetch } = useQuery(approvalSheetQuery(id));
  if (isNotFound(error)) return <RecordNotFound noun="batch" code={id} />;
  return (
    <Page title={sheet ? titleOf(sheet) : texts.loading}>
      {error && !sheet ? <ErrorState error={error} reset={() => void refetch()} /> : null}
      {sheet ? (
        <SheetView sheet={sheet} reload={() => void refetch()} />
      ) : error ? null : (
        <Loading />
      )}
    </Page>
  );
}

const isWaiting = ({ state }: ApprovalSheet): boolean => state === "awaiting_approval";

const titleOf = (sheet: ApprovalSheet): string =>
  isWaiting(sheet)
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
  return (
    <>
      {isChanged && isWaiting(sheet) ? (
        <Alert role="alert" color="orange" variant="light" title={texts.changed}>
          <button type="button" className={classes.again} onClick={review}>
            {texts.reviewAgain}
          </button>
        </Alert>
      ) : null}
      <Facts sheet={sheet} reload={reload} />
      {isWaiting(sheet) ? <AfterApproval id={sheet.batch_id} /> : null}
      <Quarantine
        batchId={sheet.batch_id}
        reasons={sheet.quarantine}
        release={sheet.you.release_quarantine}
        reload={reload}
      />
      <ExactDuplicates sheet={sheet} reload={reload} />
      <Section title={texts.anomalies}>
        <FileWarnings of={sheet} />
        <NumberColumnsWarning of={sheet} />
        {sheet.anomalies ? (
          <Anomalies
            of={sheet.anomalies}
            isCalm={sheet.numbers.length + sheet.notes.length === 0}
          />
        ) : (
          <Text role="status">{texts.searching}</Text>
        )}
      </Section>
      <SentFields sheet={sheet} />
      <LimitCheck batchId={sheet.batch_id} />
      <Comparison id={sheet.batch_id} />
      <Section
        title={commentMessages.title}
        actions={<UnreadComments subject={{ batch: sheet.batch_id }} />}
      >
        <Comments subject={{ batch: sheet.batch_id }} />
      </Section>
      <Decision sheet={sheet} reload={reload} />
      {isWaiting(sheet) ? (
        <Section title={texts.approvers}>
          <Text size="sm">{whoApproves(sheet)}</Text>
          {sheet.policy.blocked === null ? null : (
            <Alert color="orange" variant="light" title={texts.blocked}>
              {sheet.policy.blocked}
            </Alert>
          )}
          <RecordedApprovals of={sheet.policy.approvals} />
        </Section>
      ) : null}
    </>
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
      {batch.misses.map((miss) => (
        <Text key={miss} size="sm" data-tone="awaiting" c="var(--tone-fg)">
          {texts.missedCutOff(miss)}
        </Text>
      ))}
      <StoppedLanes batch={batch} />
      <PlannedCanary payouts={batch.canary.payouts} />
    </>
  );
}

function Facts({ sheet, reload }: { readonly sheet: ApprovalSheet; readonly reload: () => void }) {
  const { totals, maker, purpose, created_at, rejected, batch_id, state, reason } = sheet;
  const nowMs = useNow();
  return (
    <div className={classes.facts}>
      <ul className={classes.totals} aria-label={texts.totals}>
        {totals.map((total) => (
          <li key={total.currency}>
            <strong className={classes.total}>
              <Amount of={total} />
            </strong>{" "}
            <span className={classes.count}>{texts.payouts(total.payouts)}</span>
          </li>
        ))}
      </ul>
      <Text size="sm">
        {texts.uploadedBy(
          <UserText text={maker.name} />,
          <Timestamp at={created_at} />,
          sendTimeOf(sheet, nowMs),
        )}
      </Text>
      {purpose === null ? null : (
        <Text size="sm">{texts.purpose(<UserText text={purpose} />)}</Text>
      )}
      {rejected > 0 ? <Text size="sm">{texts.excluded(rejected)}</Text> : null}
      <Group gap="sm">
        <BatchStateBadge
          state={state}
          rejected={rejected}
          reason={reason}
          send={sheet.send}
          quarantined={isQuarantined(sheet)}
        />
        <PriorityButton batch={sheet} may={sheet.you.prioritize} reload={reload} />
        {sheet.you.prioritize.may ? null : <Text size="sm">{texts.priority(sheet.priority)}</Text>}
        <PageLink to={`/batches/${batch_id}`}>{texts.openBatch}</PageLink>
      </Group>
      {isWaiting(sheet) ? null : <DecisionOutcome of={sheet} />}
    </div>
  );
}

/** When payrun sends the batch; null if that is past or will never happen. */
const sendTimeOf = (sheet: ApprovalSheet, nowMs: number): string | null =>
  isWaiting(sheet) && sheet.send === null
    ? texts.sentAfterApproval
    : scheduledSendText(sheet, nowMs);

function whoApproves({
  policy: { people, why, possible_approvers: able, limit_people: more },
}: ApprovalSheet): string {
  const rule = people === 1 ? texts.onePerson : texts.people(why, people - 1);
  const limited = more > 0 ? texts.oneMore : "";
  const who = able.length === 0 ? "" : texts.able(able);
  return `${rule}${limited}${who}`;
}
