import { Alert, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { Answer } from "../../client.ts";
import { apart, calledOf, plural } from "../../words.ts";
import { Amount } from "../../components/amount.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { FrozenLedger } from "../../components/frozen-ledger.tsx";
import { Go } from "../../components/go.tsx";
import { Loading } from "../../components/loading.tsx";
import { Page } from "../../components/page.tsx";
import { PriorityButton } from "../../components/priority.tsx";
import { Section } from "../../components/section.tsx";
import { BatchStateBadge } from "../../components/state-badge.tsx";
import { isNotThere, NotThere } from "../../components/story-page.tsx";
import { useNow, When } from "../../components/when.tsx";
import { CanaryToCome } from "../batch/canary.tsx";
import { Lanes } from "../batch/lanes.tsx";
import { batchQuery } from "../batch/queries.ts";
import { whenSent } from "../batch/when-sent.ts";
import { Act } from "./act.tsx";
import { DiffOf } from "./diff.tsx";
import { GivenApprovals } from "./given.tsx";
import { Limits } from "./limits.tsx";
import { Outcome } from "./outcome.tsx";
import { SentFields } from "./sent-fields.tsx";
import { sheetQuery } from "./queries.ts";
import { Quarantine } from "../../components/quarantine.tsx";
import { Repeats } from "./repeats.tsx";
import classes from "./sheet.module.css";
import { HeldAsNumbers, OfTheFile, Unusual } from "./unusual.tsx";
import { Given } from "../../components/given.tsx";

export type Sheet = Answer<"GET /api/batches/:id/approval">;

const route = getRouteApi("/desk/batches/$id/approval");

/** What an approver has two minutes for: how much, what is unusual, yes or no. Details follow below. */
export function ApprovalSheetPage() {
  const { id } = route.useParams();
  const { data: sheet, error, refetch } = useQuery(sheetQuery(id));
  if (isNotThere(error)) return <NotThere noun="batch" code={id} />;
  return (
    <Page title={sheet ? titleOf(sheet) : "Approval"}>
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
  isWaiting(sheet) ? `Approve ${apart(calledOf(sheet))}?` : `Approval of ${apart(calledOf(sheet))}`;

function SheetView({ sheet, again }: { readonly sheet: Sheet; readonly again: () => void }) {
  const [isChanged, review] = useIsChanged(sheet, again);
  return (
    <>
      {isChanged && isWaiting(sheet) ? (
        <Alert
          role="alert"
          color="orange"
          variant="light"
          title="The batch was changed since you opened it"
        >
          <button type="button" className={classes.again} onClick={review}>
            Review it again
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
      <Section title="What is unusual">
        <OfTheFile of={sheet} />
        <HeldAsNumbers of={sheet} />
        {sheet.unusual ? (
          <Unusual of={sheet.unusual} isCalm={sheet.numbers.length + sheet.notes.length === 0} />
        ) : (
          <Text role="status">Looking through all rows. What is found appears here.</Text>
        )}
      </Section>
      <SentFields sheet={sheet} />
      <Limits batchId={sheet.batch_id} />
      <DiffOf id={sheet.batch_id} />
      <Act sheet={sheet} again={again} />
      {isWaiting(sheet) ? (
        <Section title="Who approves it">
          <Text size="sm">{whoApproves(sheet)}</Text>
          {sheet.policy.blocked === null ? null : (
            <Alert color="orange" variant="light" title="Nobody can approve this">
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
 * Compared every few seconds with what is on the screen: where the batch has gone, or another one has approved it, the
 * sheet is loaded again. Other content is told first: what is approved is what was opened.
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

/** What else there is to know of how it goes out: what keeps it, and what of it goes first. */
function OnceApproved({ id }: { readonly id: string }) {
  const { data: batch } = useQuery(batchQuery(id));
  if (!batch) return null;
  return (
    <>
      {batch.frozen === null ? null : (
        <FrozenLedger reason={batch.frozen}>
          Before you approve, make sure that this batch is none of those.
        </FrozenLedger>
      )}
      {batch.misses.map((miss) => (
        <Text key={miss} size="sm" data-tone="alarm" c="var(--tone-text)">
          {miss} The money may arrive a working day later.
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
      <ul className={classes.totals} aria-label="What it comes to">
        {totals.map((total) => (
          <li key={total.currency}>
            <strong className={classes.total}>
              <Amount of={total} />
            </strong>{" "}
            <span className={classes.count}>{plural(total.payouts, "payout")}</span>
          </li>
        ))}
      </ul>
      <Text size="sm">
        Brought by{" "}
        <strong>
          <Given text={maker.name} />
        </strong>
        , <When at={created_at} />. {whenItGoes(sheet, nowMs)}
      </Text>
      {purpose === null ? null : (
        <Text size="sm">
          Purpose: <Given text={purpose} />
        </Text>
      )}
      {rejected > 0 ? (
        <Text size="sm">{plural(rejected, "wrong row")} of the file left out.</Text>
      ) : null}
      <Group gap="sm">
        <BatchStateBadge state={state} rejected={rejected} reason={reason} send={sheet.send} />
        <PriorityButton batch={sheet} may={sheet.you.prioritize} again={again} />
        {sheet.you.prioritize.may ? null : <Text size="sm">Priority: {sheet.priority}</Text>}
        <Go to={`/batches/${batch_id}`}>The whole batch</Go>
      </Group>
      {isWaiting(sheet) ? null : <Outcome of={sheet} />}
    </div>
  );
}

/** Nothing of a batch that has gone out, or never will. */
const whenItGoes = (sheet: Sheet, nowMs: number): string | null =>
  isWaiting(sheet) && sheet.send === null
    ? "It goes as soon as it is approved, unless you say when."
    : whenSent(sheet, nowMs);

function whoApproves({ policy: { people, why, able, limit_people: more } }: Sheet): string {
  const rule =
    people === 1
      ? "One person may pay it on the command line; here, an approver who did not bring it says yes."
      : `${capital(why)}: whoever brought it, and ${plural(people - 1, "approver")} who did not.`;
  const limited = more > 0 ? " A limit is passed, so it takes one approver more." : "";
  const who = able.length === 0 ? "" : ` Who can: ${able.join(", ")}.`;
  return `${rule}${limited}${who}`;
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
