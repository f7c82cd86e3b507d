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

/** The causes of the payouts that failed or need attention, one line each, largest first. */
export function Causes({ batch }: { readonly batch: BatchView }) {
  const { data: failures } = useQuery(failuresOf(batch));
  const isOnlyDeclined = FAILED.every((part) => part === "declined" || !partCount(batch, part));
  const mayUpload = useMay("upload");
  const groups = failures
    ? failureGroupsOf(failures).filter(({ state }) => state !== "approved")
    : [];
  // Payouts whose retry has paid or failed have left the failures.
  const declined = failures
    ? groups.reduce((sum, { count }) => sum + count, 0)
    : partCount(batch, "declined");
  if (failures && groups.length === 0) return null;
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
  const file = addressOf("GET /api/failures/file", {
    query: { batch: batchId, state, ...(reason !== null && { reason }) },
  });
  return (
    <li className={classes.cause}>
      <Anchor
        component={Link}
        to={`/batches/${batchId}?${new URLSearchParams({ state: stateFilter(part), ...(reason !== null && { reason }), ...unpaidFilter(state) })}`}
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

/** The gateway's text where it has one, otherwise the meaning. */
export const causeName = ({
  reason,
  meaning,
}: Pick<FailureGroup, "reason" | "meaning">): string => {
  const said = /^refused: (.+)$/.exec(reason ?? "")?.[1];
  return said === undefined ? meaning : said.slice(0, 1).toUpperCase() + said.slice(1);
};

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
