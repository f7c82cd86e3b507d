import { Alert, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { apart, calledOf } from "../../base/text.ts";
import { Amount } from "../../components/amount.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { FrozenLedger } from "../../components/payout/frozen-ledger-alert.tsx";
import { Go } from "../../components/page-link.tsx";
import { Loading } from "../../components/loading.tsx";
import { Page } from "../../components/page.tsx";
import { PriorityButton } from "../../components/payout/priority.tsx";
import { Section } from "../../components/section.tsx";
import { BatchStateBadge } from "../../components/payout/state-badge.tsx";
import { isNotThere, NotThere } from "../../components/payout/record-page.tsx";
import { useNow, When } from "../../components/timestamp.tsx";
import { CanaryToCome } from "../intake/canary.tsx";
import { Lanes } from "../intake/stopped-lanes.tsx";
import { batchQuery } from "../intake/queries.ts";
import { whenSent } from "../intake/scheduled-send-text.ts";
import { Act } from "./decision.tsx";
import { DiffOf } from "./comparison.tsx";
import { GivenApprovals } from "./recorded-approvals.tsx";
import { Limits } from "./limit-check.tsx";
import { messages } from "./messages.tsx";
import { Outcome } from "./decision-outcome.tsx";
import { SentFields } from "./sent-fields.tsx";
import { type Sheet, sheetQuery } from "./queries.ts";
import { Quarantine } from "../../components/payout/quarantine.tsx";
import { Repeats } from "./exact-duplicates.tsx";
import { isQuarantined } from "../../base/state.ts";
import classes from "./approval-sheet.module.css";
import { HeldAsNumbers, OfTheFile, Unusual } from "./anomalies.tsx";
import { Given } from "../../components/user-text.tsx";

const texts = messages.sheet;
const route = getRouteApi("/desk/batches/$id/approval");

/** The approval page: totals, anomalies and the decision first, then the details. */
export function ApprovalSheetPage() {
  const { id } = route.useParams();
  const { data: sheet, error, refetch } = useQuery(sheetQuery(id));
  if (isNotThere(error)) return <NotThere noun="batch" code={id} />;
  return (
    <Page title={sheet ? titleOf(sheet) : texts.loading}>
      {error && !sheet ? <ErrorState error={error} reset={() => void refetch()} /> : null}
      {sheet ? (
        <SheetView sheet={sheet} again={() => void refetch()} />
      ) : error ? null : (
        <Loading />
      )}
    </Page>
  );
}

const isWaiting = ({ state }: Sheet): boolean => state === "awaiting_approval";

const titleOf = (sheet: Sheet): string =>
  isWaiting(sheet) ? texts.question(apart(calledOf(sheet))) : texts.title(apart(calledOf(sheet)));

function SheetView({ sheet, again }: { readonly sheet: Sheet; readonly again: () => void }) {
  const [isChanged, review] = useIsChanged(sheet, again);
  return (
    <>
      {isChanged && isWaiting(sheet) ? (
        <Alert role="alert" color="orange" variant="light" title={texts.changed}>
          <button type="button" className={classes.again} onClick={review}>
            {texts.reviewAgain}
          </button>
        </Alert>
      ) : null}
      <Facts sheet={sheet} again={again} />
      {isWaiting(sheet) ? <OnceApproved id={sheet.batch_id} /> : null}
      <Quarantine
        batchId={sheet.batch_id}
        causes={sheet.quarantine}
        release={sheet.you.release_quarantine}
        again={again}
      />
      <Repeats sheet={sheet} again={again} />
      <Section title={texts.anomalies}>
        <OfTheFile of={sheet} />
        <HeldAsNumbers of={sheet} />
        {sheet.anomalies ? (
          <Unusual of={sheet.anomalies} isCalm={sheet.numbers.length + sheet.notes.length === 0} />
        ) : (
          <Text role="status">{texts.searching}</Text>
        )}
      </Section>
      <SentFields sheet={sheet} />
      <Limits batchId={sheet.batch_id} />
      <DiffOf id={sheet.batch_id} />
      <Act sheet={sheet} again={again} />
      {isWaiting(sheet) ? (
        <Section title={texts.approvers}>
          <Text size="sm">{whoApproves(sheet)}</Text>
          {sheet.policy.blocked === null ? null : (
            <Alert color="orange" variant="light" title={texts.blocked}>
              {sheet.policy.blocked}
            </Alert>
          )}
          <GivenApprovals of={sheet.policy.approvals} />
        </Section>
      ) : null}
    </>
  );
}

/**
 * Compares the page with the batch every five seconds. A new state or approval reloads the page.
 * New content only shows a notice, because the reader approves the content that they opened.
 */
function useIsChanged(sheet: Sheet, again: () => void): readonly [boolean, () => void] {
  const { batch_id: id, content_digest: digest } = sheet;
  const [opened, setOpened] = useState(digest);
  const { data: now, dataUpdatedAt } = useQuery({ ...batchQuery(id), refetchInterval: 5_000 });
  const isOther = now !== undefined && now.content_digest !== digest;
  const hasMoved =
    now !== undefined &&
    (now.state !== sheet.state || (!isOther && now.policy.given !== sheet.policy.given));
  useEffect(() => {
    if (hasMoved) again();
    // oxlint-disable-next-line react/exhaustive-deps -- once for each answer, not for each rendering
  }, [hasMoved, dataUpdatedAt]);
  const review = (): void => {
    setOpened(now?.content_digest ?? digest);
    again();
  };
  return [isOther || digest !== opened, review];
}

/** Shows what happens after approval: a frozen ledger, missed cut-offs, lanes and the canary. */
function OnceApproved({ id }: { readonly id: string }) {
  const { data: batch } = useQuery(batchQuery(id));
  if (!batch) return null;
  return (
    <>
      {batch.frozen === null ? null : (
        <FrozenLedger reason={batch.frozen}>{texts.frozen}</FrozenLedger>
      )}
      {batch.misses.map((miss) => (
        <Text key={miss} size="sm" data-tone="alarm" c="var(--tone-text)">
          {texts.missedCutOff(miss)}
        </Text>
      ))}
      <Lanes batch={batch} />
      <CanaryToCome payouts={batch.canary.payouts} />
    </>
  );
}

function Facts({ sheet, again }: { readonly sheet: Sheet; readonly again: () => void }) {
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
          <Given text={maker.name} />,
          <When at={created_at} />,
          whenItGoes(sheet, nowMs),
        )}
      </Text>
      {purpose === null ? null : <Text size="sm">{texts.purpose(<Given text={purpose} />)}</Text>}
      {rejected > 0 ? <Text size="sm">{texts.excluded(rejected)}</Text> : null}
      <Group gap="sm">
        <BatchStateBadge
          state={state}
          rejected={rejected}
          reason={reason}
          send={sheet.send}
          quarantined={isQuarantined(sheet)}
        />
        <PriorityButton batch={sheet} may={sheet.you.prioritize} again={again} />
        {sheet.you.prioritize.may ? null : <Text size="sm">{texts.priority(sheet.priority)}</Text>}
        <Go to={`/batches/${batch_id}`}>{texts.openBatch}</Go>
      </Group>
      {isWaiting(sheet) ? null : <Outcome of={sheet} />}
    </div>
  );
}

/** When payrun sends the batch; null if that is past or will never happen. */
const whenItGoes = (sheet: Sheet, nowMs: number): string | null =>
  isWaiting(sheet) && sheet.send === null ? texts.sentAfterApproval : whenSent(sheet, nowMs);

function whoApproves({ policy: { people, why, able, limit_people: more } }: Sheet): string {
  const rule = people === 1 ? texts.onePerson : texts.people(why, people - 1);
  const limited = more > 0 ? texts.oneMore : "";
  const who = able.length === 0 ? "" : texts.able(able);
  return `${rule}${limited}${who}`;
}
