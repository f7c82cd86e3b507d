import { Anchor, Text } from "@mantine/core";
import { Fragment } from "react";
import { addressOf } from "../../../server/address.ts";
import { Amount } from "../../../components/amount.tsx";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { FactList } from "../../../components/fact-list.tsx";
import { PageLink } from "../../../components/page-link.tsx";
import { Timestamp } from "../../../components/timestamp.tsx";
import { PayoutStateBadge } from "../../../components/payout/state-badge.tsx";
import { PAYOUT_STATES } from "../../../base/state.ts";
import type { FailureGroup, FailureGroupLine } from "./failure-groups.ts";
import classes from "./failures.module.css";
import { messages } from "./messages.ts";
import { type FailureSearch, failuresQuery } from "./search-params.ts";
import { GroupAssignment } from "./group-assignment.tsx";

const texts = messages.group;

/** Longer breakdowns are collapsed at first. */
const OPEN_MAX = 8;

/**
 * One failure group: its size, meaning, next step, assignment, and payouts by currency and bank.
 */
export function FailureGroupItem({
  of: group,
  largest,
  search,
  readAt,
}: {
  readonly of: FailureGroup;
  readonly readAt: string;
  readonly largest: number;
  readonly search: FailureSearch;
}) {
  const { state, reason, meaning, next_step, can_retry: canRetry, count, groups } = group;
  const { tone } = PAYOUT_STATES[state];
  const columns = columnsWith(search);
  return (
    <li className={classes.group}>
      <div className={classes.bar} data-tone={tone} aria-hidden>
        <span style={{ width: `${(count / largest) * 100}%` }} />
      </div>
      <h3 className={classes.meaning}>
        {meaning} <span className={classes.count}>{messages.payouts(count)}</span>
      </h3>
      <FactList
        facts={[
          [texts.state, <PayoutStateBadge key="state" state={state} />],
          [texts.todo, next_step],
          [texts.mayPayAgain, canRetry ? texts.payAgain : texts.doNotPayAgain],
        ]}
      />
      <GroupAssignment of={group} readAt={readAt} />
      <details open={groups.length <= OPEN_MAX}>
        <summary>{texts.breakdown(groups.length)}</summary>
        <DataTable
          caption={texts.breakdownCaption(meaning)}
          hideCaption
          columns={columns}
          rows={groups}
          rowKey={({ currency, bank }) => `${reason ?? ""} ${currency} ${bank}`}
        />
      </details>
    </li>
  );
}

/** The filters that select the payouts of one line, in the list of payouts and in the CSV file. */
function filterOf(group: FailureGroupLine, search: FailureSearch): Record<string, string> {
  const { state, reason, currency, bank } = group;
  const { state: _, currency: __, ...rest } = failuresQuery(search);
  return { ...rest, state, currency, bank, ...(reason === null ? {} : { reason }) };
}

const columnsWith = (search: FailureSearch): readonly Column<FailureGroupLine>[] => [
  {
    key: "currency",
    header: texts.currency,
    names: true,
    cell: ({ currency }) => currency,
  },
  { key: "bank", header: texts.bank, cell: ({ bank }) => (bank === "-" ? texts.noBank : bank) },
  {
    key: "count",
    header: texts.payouts,
    numeric: true,
    cell: (group) => (
      <PageLink to={`/payouts?${new URLSearchParams(filterOf(group, search))}`}>
        {group.count.toLocaleString()}
      </PageLink>
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
    key: "example",
    header: texts.example,
    cell: ({ example }) => (
      <PageLink to={`/payouts/${encodeURIComponent(example)}`}>{example}</PageLink>
    ),
  },
  {
    key: "file",
    header: texts.file,
    card: "action",
    cell: (group) => (
      <Anchor
        href={addressOf("GET /api/failures/file", { query: filterOf(group, search) }).address}
        download
        size="sm"
        aria-label={texts.csvOf(group.currency, group.bank === "-" ? null : group.bank)}
      >
        {texts.csv}
      </Anchor>
    ),
  },
];
