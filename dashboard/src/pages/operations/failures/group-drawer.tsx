import { Anchor, Drawer, Text } from "@mantine/core";
import { Fragment } from "react";
import { addressOf } from "../../../server/address.ts";
import { Amount } from "../../../components/amount.tsx";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { FactList } from "../../../components/fact-list.tsx";
import { PageLink } from "../../../components/page-link.tsx";
import { Timestamp } from "../../../components/timestamp.tsx";
import { PayoutStateBadge } from "../../../components/payout/state-badge.tsx";
import type { ChosenAction } from "../../payout-action/action-dialog.tsx";
import type { FailureGroup, FailureGroupLine } from "./failure-groups.ts";
import { RetryByUploader, RetryChoice, useMayRetry } from "./fix-and-retry.tsx";
import classes from "./group-drawer.module.css";
import { messages } from "./group-messages.ts";
import { type FailureSearch, payoutFilterOf, payoutsOf } from "./search-params.ts";
import { GroupActions } from "./group-actions.tsx";
import { GroupAssignment } from "./group-assignment.tsx";
import { RetriedIn } from "./retried-in.tsx";

const texts = messages.group;

/**
 * The details of one failure group: its meaning, next step, assignment, and payouts by currency and
 * bank.
 */
export default function GroupDrawer({
  of: group,
  isOpen,
  search,
  readAt,
  onChoose,
  onClose,
}: {
  /** Undefined: the list no longer has it. */
  readonly of: FailureGroup | undefined;
  readonly isOpen: boolean;
  readonly search: FailureSearch;
  /** When the list was loaded. */
  readonly readAt: string;
  readonly onChoose: (chosen: ChosenAction) => void;
  readonly onClose: () => void;
}) {
  return (
    <Drawer
      opened={isOpen && group !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      closeButtonProps={{ "aria-label": messages.close }}
      title={group?.meaning}
    >
      {group ? <Details of={group} search={search} readAt={readAt} onChoose={onChoose} /> : null}
    </Drawer>
  );
}

function Details({
  of: group,
  search,
  readAt,
  onChoose,
}: {
  readonly of: FailureGroup;
  readonly search: FailureSearch;
  readonly readAt: string;
  readonly onChoose: (chosen: ChosenAction) => void;
}) {
  const { state, reason, next_step, groups, retry_batches: batches } = group;
  const mayRetry = useMayRetry();
  return (
    <div className={classes.group}>
      <Text size="sm">{next_step}</Text>
      {mayRetry(group) ? <RetryChoice of={group} /> : <RetryByUploader of={group} />}
      <FactList
        facts={[
          [texts.state, <PayoutStateBadge key="state" state={state} />],
          ...(batches.length === 0
            ? []
            : [[texts.retries, <RetriedIn key="retries" batches={batches} />] as const]),
        ]}
      />
      <GroupActions of={group} search={search} onChoose={onChoose} />
      <GroupAssignment of={group} readAt={readAt} />
      <div className={classes.table}>
        <DataTable
          caption={texts.breakdown(groups.length)}
          columns={columnsWith(search)}
          rows={groups}
          rowKey={({ currency, bank }) => `${reason ?? ""} ${currency} ${bank}`}
        />
      </div>
    </div>
  );
}

const columnsWith = (search: FailureSearch): readonly Column<FailureGroupLine>[] => [
  {
    key: "bank",
    header: texts.bank,
    names: true,
    cell: ({ bank }) => (bank === "-" ? texts.noBank : bank),
  },
  {
    key: "count",
    header: texts.payouts,
    numeric: true,
    cell: (group) => (
      <PageLink to={payoutsOf(group, search)}>{group.count.toLocaleString()}</PageLink>
    ),
  },
  {
    key: "amount",
    header: texts.amount,
    numeric: true,
    card: "amount",
    cell: (group) => <Amount of={group} />,
  },
  {
    key: "span",
    header: texts.span,
    cell: ({ oldest_at, newest_at }) => (
      <Fragment>
        <Timestamp at={oldest_at} relative={false} />
        {newest_at === oldest_at ? null : (
          <Text size="xs" c="dimmed" component="div">
            <Timestamp at={newest_at} relative={false} />
          </Text>
        )}
      </Fragment>
    ),
  },
  {
    key: "file",
    header: texts.file,
    card: "action",
    cell: (group) => (
      <Anchor
        href={addressOf("GET /api/failures/file", { query: payoutFilterOf(group, search) }).address}
        download
        size="sm"
        aria-label={texts.csvOf(group.currency, group.bank === "-" ? null : group.bank)}
      >
        {texts.csv}
      </Anchor>
    ),
  },
];
