import { Anchor, Text } from "@mantine/core";
import { Fragment } from "react";
import { addressOf } from "../../address.ts";
import { Amount } from "../../components/amount.tsx";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { FactList } from "../../components/fact-list.tsx";
import { Go } from "../../components/go.tsx";
import { When } from "../../components/when.tsx";
import { PayoutStateBadge } from "../../components/state-badge.tsx";
import { PAYOUT_STATES } from "../../state.ts";
import { plural } from "../../words.ts";
import type { CauseGroups, FailureGroup } from "./causes.ts";
import classes from "./failures.module.css";
import { type FailureSearch, queryOf } from "./search.ts";
import { TriageOfCause } from "./triage.tsx";

/** More groups than this stay folded until somebody wants them. */
const OPEN_MAX = 8;

/** One cause: how much of it, what it means, what to do, and where it strikes. */
export function CauseOf({
  of: cause,
  largest,
  search,
  readAt,
}: {
  readonly of: CauseGroups;
  readonly readAt: string;
  readonly largest: number;
  readonly search: FailureSearch;
}) {
  const { state, reason, meaning, todo, again, count, groups } = cause;
  const { tone } = PAYOUT_STATES[state];
  const columns = columnsWith(search);
  return (
    <li className={classes.cause}>
      <div className={classes.bar} data-tone={tone} aria-hidden>
        <span style={{ width: `${(count / largest) * 100}%` }} />
      </div>
      <h3 className={classes.meaning}>
        {meaning} <span className={classes.count}>{plural(count, "payout")}</span>
      </h3>
      <FactList
        facts={[
          ["State", <PayoutStateBadge key="state" state={state} />],
          ["What to do", todo],
          ["May it be paid again?", again ? "Yes, corrected and in a new file." : "No."],
        ]}
      />
      <TriageOfCause of={cause} readAt={readAt} />
      <details open={groups.length <= OPEN_MAX}>
        <summary>By currency and bank ({groups.length.toLocaleString()})</summary>
        <DataTable
          caption={`${meaning} By currency and bank`}
          hideCaption
          columns={columns}
          rows={groups}
          rowKey={({ currency, bank }) => `${reason ?? ""} ${currency} ${bank}`}
        />
      </details>
    </li>
  );
}

/** The filters that leave the payouts of one group, in the list of payouts and in the file alike. */
function filterOf(group: FailureGroup, search: FailureSearch): Record<string, string> {
  const { state, reason, currency, bank } = group;
  const { state: _, currency: __, ...rest } = queryOf(search);
  return { ...rest, state, currency, bank, ...(reason === null ? {} : { reason }) };
}

const columnsWith = (search: FailureSearch): readonly Column<FailureGroup>[] => [
  {
    key: "currency",
    header: "Currency",
    names: true,
    cell: ({ currency }) => currency,
  },
  { key: "bank", header: "Bank", cell: ({ bank }) => (bank === "-" ? "none named" : bank) },
  {
    key: "count",
    header: "Payouts",
    numeric: true,
    cell: (group) => (
      <Go to={`/payouts?${new URLSearchParams(filterOf(group, search))}`}>
        {group.count.toLocaleString()}
      </Go>
    ),
  },
  { key: "amount", header: "Amount", numeric: true, cell: (group) => <Amount of={group} /> },
  {
    key: "span",
    header: "Oldest, newest",
    cell: ({ oldest_at, newest_at }) => (
      <Fragment>
        <When at={oldest_at} relative={false} />
        {newest_at === oldest_at ? null : (
          <Text size="xs" c="dimmed" component="div">
            <When at={newest_at} relative={false} />
          </Text>
        )}
      </Fragment>
    ),
  },
  {
    key: "example",
    header: "Example",
    cell: ({ example }) => <Go to={`/payouts/${encodeURIComponent(example)}`}>{example}</Go>,
  },
  {
    key: "file",
    header: "File",
    cell: (group) => (
      <Anchor
        href={addressOf("GET /api/failures/file", { query: filterOf(group, search) }).address}
        download
        size="sm"
        aria-label={`CSV of ${group.currency}, ${group.bank === "-" ? "no bank" : group.bank}`}
      >
        CSV
      </Anchor>
    ),
  },
];
