import { Alert, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type Answer, call } from "../../client.ts";
import { Amount } from "../../components/amount.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Go } from "../../components/go.tsx";
import { Loading } from "../../components/loading.tsx";
import { Page } from "../../components/page.tsx";
import { PriorityButton } from "../../components/priority.tsx";
import { Section } from "../../components/section.tsx";
import { BatchStateBadge } from "../../components/state-badge.tsx";
import { When } from "../../components/when.tsx";
import { plural } from "../../words.ts";
import { Act } from "./act.tsx";
import { DiffOf } from "./diff.tsx";
import { GivenApprovals } from "./given.tsx";
import { Limits } from "./limits.tsx";
import { sheetQuery } from "./queries.ts";
import { Repeats } from "./repeats.tsx";
import classes from "./sheet.module.css";
import { HeldAsNumbers, OfTheFile, Unusual } from "./unusual.tsx";

export type Sheet = Answer<"GET /api/batches/:id/approval">;

const route = getRouteApi("/desk/batches/$id/approval");

/** What an approver has two minutes for: how much, what is unusual, yes or no. Details follow below. */
export function ApprovalSheetPage() {
  const { id } = route.useParams();
  const { data: sheet, error, refetch } = useQuery(sheetQuery(id));
  return (
    <Page title={sheet ? `Approve ${sheet.file}?` : "Approval"}>
      {error && !sheet ? <ErrorState error={error} reset={() => void refetch()} /> : null}
      {sheet ? (
        <SheetView sheet={sheet} again={() => void refetch()} />
      ) : error ? null : (
        <Loading />
      )}
    </Page>
  );
}

function SheetView({ sheet, again }: { readonly sheet: Sheet; readonly again: () => void }) {
  const isChanged = useIsChanged(sheet);
  return (
    <>
      {isChanged ? (
        <Alert
          role="alert"
          color="orange"
          variant="light"
          title="The batch was changed since you opened it"
        >
          <button type="button" className={classes.again} onClick={again}>
            Review it again
          </button>
        </Alert>
      ) : null}
      <Facts sheet={sheet} again={again} />
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
      <Limits batchId={sheet.batch_id} />
      <DiffOf id={sheet.batch_id} />
      <Act sheet={sheet} again={again} />
      <Section title="Who approves it">
        <Text size="sm">{whoApproves(sheet)}</Text>
        {sheet.policy.blocked === null ? null : (
          <Alert color="orange" variant="light" title="Nobody can approve this">
            {sheet.policy.blocked}
          </Alert>
        )}
        <GivenApprovals of={sheet.policy.approvals} />
      </Section>
    </>
  );
}

/** The content is compared every few seconds with the one that is on the screen. */
function useIsChanged({ batch_id: id, content_digest }: Sheet): boolean {
  const { data: now } = useQuery({
    queryKey: ["GET /api/batches/:id", id],
    queryFn: ({ signal }) => call("GET /api/batches/:id", { params: { id }, signal }),
    refetchInterval: 5_000,
  });
  return now !== undefined && now.content_digest !== content_digest;
}

function Facts({ sheet, again }: { readonly sheet: Sheet; readonly again: () => void }) {
  const { totals, maker, created_at, rejected, batch_id, state, reason } = sheet;
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
        Brought by <strong>{maker.name}</strong>, <When at={created_at} />.{" "}
        {sheet.send
          ? `It goes out at ${sheet.send.says}.`
          : "It goes as soon as it is approved, unless you say when."}
      </Text>
      {sheet.misses.map((miss) => (
        <Text key={miss} size="sm" data-tone="alarm" c="var(--tone-text)">
          {miss} The money may arrive a working day later.
        </Text>
      ))}
      {rejected > 0 ? (
        <Text size="sm">{plural(rejected, "wrong row")} of the file left out.</Text>
      ) : null}
      <Group gap="sm">
        <BatchStateBadge state={state} />
        {sheet.you.prioritize.may ? (
          <PriorityButton batch={sheet} again={again} />
        ) : (
          <Text size="sm">Priority: {sheet.priority}</Text>
        )}
        <Go to={`/batches/${batch_id}`}>The whole batch</Go>
      </Group>
      {reason === null ? null : <Text size="sm">{reason}</Text>}
    </div>
  );
}

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
