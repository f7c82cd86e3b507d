import { Anchor, Button, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Download, UserRound } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { formatMoney, sumByCurrency } from "../../../base/money.ts";
import { capitalized } from "../../../base/text.ts";
import { PART_DISPLAY } from "../../../base/state.ts";
import { PartDot } from "../../../components/payout/state-bar.tsx";
import { Section } from "../../../components/section.tsx";
import { addressOf } from "../../../server/address.ts";
import { useMay, usePerson } from "../../../server/session.ts";
import {
  type FailureGroup,
  failureGroupsOf,
  notRetried,
} from "../../operations/failures/failure-groups.ts";
import { causeName } from "../../operations/failures/cause-name.ts";
import { unpaidFilter } from "../../operations/failures/search-params.ts";
import { messages } from "./messages.tsx";
import type { BatchView } from "../batch-view.ts";
import { failuresOfBatchQuery } from "../queries.ts";
import classes from "./causes.module.css";
import { stateFilter, STATES_OF_PART } from "./search-params.ts";
import { uploaderOf } from "../../../components/payout/uploader.ts";
import type { Reader } from "./next-step.ts";
import { partCount } from "./status-sentence.ts";

const texts = messages.causes;

/** Returns the signed-in user as the reader. */
export const useReader = (): Reader => ({
  actor: `user:${usePerson()?.id}`,
  mayUpload: useMay("upload"),
  mayOperate: useMay("operate"),
});

const FAILED = ["declined", "on_hold", "in_doubt", "returned"] as const;

/** Whether payouts of the batch failed or need attention. */
export const hasFailures = (batch: BatchView): boolean =>
  FAILED.some((part) => partCount(batch, part) > 0);

/** The failure groups of the batch, loaded again when their counts change. */
export const failuresOf = (batch: BatchView) =>
  failuresOfBatchQuery(batch.batch_id, FAILED.map((part) => partCount(batch, part)).join(" "));

/**
 * The causes of the payouts that failed or need attention. Payouts whose retry has paid or failed
 * no longer have one.
 */
export function useCauses(batch: BatchView): readonly FailureGroup[] {
  const { data: failures } = useQuery({ ...failuresOf(batch), enabled: hasFailures(batch) });
  return failures && hasFailures(batch)
    ? failureGroupsOf(failures).filter(({ state }) => state !== "approved")
    : [];
}

/** The causes of the payouts that failed or need attention, one line each, largest first. */
export function Causes({
  batch,
  groups,
}: {
  readonly batch: BatchView;
  readonly groups: readonly FailureGroup[];
}) {
  const { data: failures } = useQuery(failuresOf(batch));
  const isOnlyDeclined = FAILED.every((part) => part === "declined" || !partCount(batch, part));
  const declined = groups.reduce((sum, { count }) => sum + count, 0);
  return (
    <Section title={isOnlyDeclined ? texts.declined(declined) : texts.problems} isFlush>
      <ul className={classes.causes}>
        {groups.map((group) => (
          <Cause key={group.key} batch={batch} group={group} readAt={failures?.at ?? ""} />
        ))}
      </ul>
    </Section>
  );
}

interface CauseProps {
  readonly batch: BatchView;
  readonly group: FailureGroup;
  /** When the list was loaded. */
  readonly readAt: string;
}

const partOf = (state: FailureGroup["state"]) =>
  Object.entries(STATES_OF_PART).find(([, states]) =>
    states.some((each) => each === state),
  )?.[0] as keyof typeof STATES_OF_PART;

/** One cause: its payouts, their amount, and the next step as a button or the name of who acts. */
function Cause({ batch, group, readAt }: CauseProps) {
  const { state, reason, meaning, count, next_step: step } = group;
  const batchId = batch.batch_id;
  const part = partOf(state);
  const name = causeName(group);
  const payouts = `/batches/${batchId}?${new URLSearchParams({ state: stateFilter(part), ...(reason !== null && { reason }), ...unpaidFilter(state) })}`;
  const file = addressOf("GET /api/failures/file", {
    query: { batch: batchId, state, ...(reason !== null && { reason }) },
  });
  return (
    <li className={classes.cause}>
      <div className={classes.what}>
        <Anchor
          component={Link}
          to={payouts}
          resetScroll={false}
          className={classes.name}
          title={`${meaning} ${step}`}
        >
          <PartDot part={part} />
          {name}
        </Anchor>
        <Rule batch={batch} group={group} />
      </div>
      <span className={classes.count}>{texts.count(count)}</span>
      <span className={classes.amount}>{amountText(group)}</span>
      <div className={classes.actions}>
        <NextAction batchId={batchId} group={group} payouts={payouts} />
        <Button
          component="a"
          href={file.address}
          download
          size="compact-sm"
          variant="subtle"
          color="gray"
          leftSection={<Download size={14} aria-hidden />}
          aria-label={texts.exportOf(name)}
        >
          {texts.export}
        </Button>
        <AssignCause group={group} readAt={readAt} />
      </div>
    </li>
  );
}

const CURRENCIES_MAX = 2;

/** The amount of a cause; of more than two currencies, their number. */
function amountText({ groups }: FailureGroup): string {
  const sums = sumByCurrency(groups);
  return sums.length > CURRENCIES_MAX
    ? texts.currencies(sums.length)
    : sums.map((sum) => formatMoney(sum)).join(" · ");
}

/** The need of the payouts, who meets it if the reader may not, and their assignment. */
function Rule({ batch, group }: Omit<CauseProps, "readAt">) {
  const { state, retry, assignment } = group;
  const reader = useReader();
  const said: string[] = [];
  if (retry !== null) {
    said.push(texts.rule[retry]);
    const who = uploaderOf(batch, reader.actor);
    if (!reader.mayUpload)
      said.push(retry === "new_details" ? texts.correctedBy(who) : texts.retriedBy(who));
  } else if (notRetried(group) === 0) said.push(texts.retried);
  else if (state === "in_doubt") said.push(texts.queried);
  else if (state === "on_hold" && !reader.mayOperate) said.push(texts.decidedBy);
  else said.push(capitalized(PART_DISPLAY[partOf(state)].word));
  if (assignment.assigned_to !== null) said.push(texts.owner(assignment.assigned_to.name));
  return (
    <Text size="xs" c="dimmed" className={classes.rule}>
      {said.join(" · ")}
    </Text>
  );
}

/** The button for the next step of the payouts. Null: another person or payrun acts. */
function NextAction({
  batchId,
  group: { state, reason, retry },
  payouts,
}: {
  readonly batchId: string;
  readonly group: FailureGroup;
  readonly payouts: string;
}) {
  const { mayUpload, mayOperate } = useReader();
  if (state === "on_hold" && mayOperate) {
    return (
      <Button component={Link} to={payouts} resetScroll={false} size="compact-sm" variant="default">
        {texts.review}
      </Button>
    );
  }
  if (retry === null || !mayUpload) return null;
  return (
    <Button
      component={Link}
      to={`/batches/${batchId}/retry?${new URLSearchParams(reason === null ? {} : { cause: reason })}`}
      size="compact-sm"
      variant="default"
    >
      {retry === "new_details" ? texts.fix : texts.retry}
    </Button>
  );
}

const AssignDialog = lazy(
  () => import("../../../components/payout/assignment/assign-failure-group.tsx"),
);

/** The button that opens the assignment of the failure group. */
function AssignCause({ group, readAt }: Omit<CauseProps, "batch">) {
  const { mayOperate } = useReader();
  const [isOpen, setOpen] = useState(false);
  if (!mayOperate) return null;
  const title = texts.assignOf(causeName(group));
  return (
    <>
      <Button
        size="compact-sm"
        variant="subtle"
        color="gray"
        leftSection={<UserRound size={14} aria-hidden />}
        aria-label={title}
        onClick={() => setOpen(true)}
      >
        {texts.assign}
      </Button>
      {isOpen ? (
        <Suspense>
          <AssignDialog group={group} title={title} readAt={readAt} close={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
