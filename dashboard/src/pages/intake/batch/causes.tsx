import { ActionIcon, Anchor, Button, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Download, UserRound } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { PART_DISPLAY } from "../../../base/state.ts";
import { PartDot } from "../../../components/payout/state-bar.tsx";
import { PageLink } from "../../../components/page-link.tsx";
import { Section } from "../../../components/section.tsx";
import { addressOf } from "../../../server/address.ts";
import { useMay } from "../../../server/session.ts";
import {
  type FailureGroup,
  failureGroupsOf,
  notRetried,
} from "../../operations/failures/failure-groups.ts";
import { causeName } from "../../operations/failures/cause-name.ts";
import { unpaidFilter } from "../../operations/failures/search-params.ts";
import { messages } from "./messages.tsx";
import { type BatchView, failuresOfBatchQuery } from "../queries.ts";
import classes from "./causes.module.css";
import { stateFilter, STATES_OF_PART } from "./search-params.ts";
import { partCount } from "./status-sentence.ts";

const texts = messages.causes;

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
  const mayUpload = useMay("upload");
  const declined = groups.reduce((sum, { count }) => sum + count, 0);
  const hasSeveral = groups.filter(({ retry }) => retry !== null).length > 1;
  return (
    <Section
      title={isOnlyDeclined ? texts.declined(declined) : texts.problems}
      isFlush
      actions={
        mayUpload && hasSeveral ? (
          <PageLink to={`/batches/${batch.batch_id}/retry`}>{texts.retryAll}</PageLink>
        ) : null
      }
    >
      <ul className={classes.causes}>
        {groups.map((group) => (
          <Cause
            key={group.key}
            batchId={batch.batch_id}
            group={group}
            readAt={failures?.at ?? ""}
          />
        ))}
      </ul>
    </Section>
  );
}

interface CauseProps {
  readonly batchId: string;
  readonly group: FailureGroup;
  /** When the list was loaded. */
  readonly readAt: string;
}

function Cause({ batchId, group, readAt }: CauseProps) {
  const { state, reason, meaning, count, retry, next_step: step, assignment } = group;
  const part = Object.entries(STATES_OF_PART).find(([, states]) =>
    states.some((each) => each === state),
  )?.[0] as keyof typeof STATES_OF_PART;
  const name = causeName(group);
  const isRetried = notRetried(group) === 0;
  const mayUpload = useMay("upload");
  const payouts = `/batches/${batchId}?${new URLSearchParams({ state: stateFilter(part), ...(reason !== null && { reason }), ...unpaidFilter(state) })}`;
  const file = addressOf("GET /api/failures/file", {
    query: { batch: batchId, state, ...(reason !== null && { reason }) },
  });
  return (
    <li className={classes.cause}>
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
      <span className={classes.count}>{count.toLocaleString()}</span>
      <Text size="xs" c="dimmed" className={classes.rule}>
        {retry === null ? (isRetried ? texts.retried : PART_DISPLAY[part].word) : texts.rule[retry]}
        {assignment.assigned_to === null ? "" : ` · ${texts.owner(assignment.assigned_to.name)}`}
      </Text>
      <div className={classes.actions}>
        {part === "on_hold" ? (
          <Button component={Link} to={payouts} size="compact-xs" variant="default">
            {texts.review}
          </Button>
        ) : null}
        {retry === null || !mayUpload ? null : (
          <Button
            component={Link}
            to={`/batches/${batchId}/retry?${new URLSearchParams(reason === null ? {} : { cause: reason })}`}
            size="compact-xs"
            variant="default"
          >
            {retry === "new_details" ? texts.fix : texts.retry}
          </Button>
        )}
        <ActionIcon
          component="a"
          href={file.address}
          download
          variant="subtle"
          color="gray"
          aria-label={texts.exportOf(name)}
        >
          <Download size={16} aria-hidden />
        </ActionIcon>
        <AssignCause group={group} readAt={readAt} />
      </div>
    </li>
  );
}

const AssignDialog = lazy(
  () => import("../../../components/payout/assignment/assign-failure-group.tsx"),
);

/** The button that opens the assignment of the failure group. */
function AssignCause({ group, readAt }: Omit<CauseProps, "batchId">) {
  const mayOperate = useMay("operate");
  const [isOpen, setOpen] = useState(false);
  if (!mayOperate) return null;
  const title = texts.assignOf(causeName(group));
  return (
    <>
      <ActionIcon variant="subtle" color="gray" aria-label={title} onClick={() => setOpen(true)}>
        <UserRound size={16} aria-hidden />
      </ActionIcon>
      {isOpen ? (
        <Suspense>
          <AssignDialog group={group} title={title} readAt={readAt} close={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
