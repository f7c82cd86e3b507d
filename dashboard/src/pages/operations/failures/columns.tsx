import { UnstyledButton } from "@mantine/core";
import { sumByCurrency } from "../../../base/money.ts";
import { AmountSummary } from "../../../components/amount-summary.tsx";
import type { ListColumn } from "../../../components/list-table/list-column.ts";
import { PageLink } from "../../../components/page-link.tsx";
import { AssignmentText } from "../../../components/payout/assignment/assignment-text.tsx";
import { PayoutStateBadge } from "../../../components/payout/state-badge.tsx";
import { InTable, Timestamp } from "../../../components/timestamp.tsx";
import { type FailureGroup, notRetried } from "./failure-groups.ts";
import { FixAndRetry, OpenBatches } from "./fix-and-retry.tsx";
import classes from "./failures.module.css";
import { messages } from "./list-messages.ts";
import { RetriedIn } from "./retried-in.tsx";
import { type FailureSearch, payoutsOf } from "./search-params.ts";

const texts = messages.columns;

/** The columns of the list of failure groups. The first one opens the details of a group. */
export const failureColumns = (
  search: FailureSearch,
  onOpen: (group: FailureGroup) => void,
  mayRetry: (group: FailureGroup) => boolean,
): readonly ListColumn<FailureGroup>[] => [
  {
    key: "cause",
    header: texts.cause,
    width: 370,
    isFixed: true,
    names: true,
    cell: (group) => (
      <>
        <UnstyledButton className={classes.open} data-row-link onClick={() => onOpen(group)}>
          {group.meaning}
        </UnstyledButton>
        <div className={classes.next}>{group.next_step}</div>
      </>
    ),
  },
  AMOUNT,
  STATE,
  {
    key: "payouts",
    header: texts.payouts,
    width: 90,
    isFixed: true,
    numeric: true,
    sort: ["largest"],
    cell: (group) => (
      <PageLink to={payoutsOf(group, search)}>{group.count.toLocaleString()}</PageLink>
    ),
  },
  {
    key: "actor",
    header: texts.nextAction,
    width: 170,
    card: "action",
    cell: (group) => (
      <div className={classes.actor}>
        {mayRetry(group) ? (
          <FixAndRetry of={group} choose={() => onOpen(group)} />
        ) : notRetried(group) > 0 ? (
          <>
            <div>{actorText(group)}</div>
            {group.next_actor === "maker" ? (
              <OpenBatches of={group} choose={() => onOpen(group)} />
            ) : null}
          </>
        ) : null}
        <RetriedIn batches={group.retry_batches} />
      </div>
    ),
  },
  ...OTHERS,
];

/** The absolute time comes first. The age shows how urgent the group is. */
const Age = ({ since }: { readonly since: string }) => (
  <InTable value={false}>
    <Timestamp at={since} />
  </InTable>
);

/** The next actor, by name if one user uploaded all batches of the group. */
function actorText({ next_actor: actor, batches }: FailureGroup): string {
  const [name, ...others] = new Set(batches.map(({ uploaded_by_name: by }) => by));
  return actor === "maker" && name !== undefined && others.length === 0
    ? messages.correctedBy(name)
    : messages.nextActions[actor];
}

const AMOUNT: ListColumn<FailureGroup> = {
  key: "amount",
  header: texts.amount,
  width: 160,
  isFixed: true,
  numeric: true,
  card: "amount",
  cell: ({ groups, count }) => <AmountSummary of={sumByCurrency(groups)} payouts={count} />,
};

const STATE: ListColumn<FailureGroup> = {
  key: "state",
  header: texts.state,
  width: 145,
  isFixed: true,
  card: "state",
  cell: ({ state }) => <PayoutStateBadge state={state} />,
};

const OTHERS: readonly ListColumn<FailureGroup>[] = [
  {
    key: "assigned",
    header: texts.assignedTo,
    width: 150,
    cell: ({ assignment }) =>
      assignment.assigned_to === null && assignment.snooze === null ? (
        "–"
      ) : (
        <div className={classes.assigned}>
          <AssignmentText of={assignment} />
        </div>
      ),
  },
  {
    key: "oldest",
    header: texts.oldest,
    width: 130,
    isWide: true,
    sort: ["oldest"],
    cell: ({ oldest_at }) => <Age since={oldest_at} />,
  },
  {
    key: "newest",
    header: texts.newest,
    width: 130,
    isHidden: true,
    card: "none",
    sort: ["newest"],
    cell: ({ newest_at }) => <Timestamp at={newest_at} relative={false} />,
  },
];
