import { Button, Group, Text } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { sumByCurrency } from "../../../base/money.ts";
import { EmptyState } from "../../../components/empty-state.tsx";
import { ListSummary } from "../../../components/list-table/list-summary.tsx";
import { ListTable } from "../../../components/list-table/list-table.tsx";
import { ListViews } from "../../../components/views/list-views.tsx";
import {
  type Assignment,
  isSnoozed,
} from "../../../components/payout/assignment/assignment-text.tsx";
import { usePerson } from "../../../server/session.ts";
import type { ChosenAction } from "../../payout-action/action-dialog.tsx";
import { failureColumns } from "./columns.tsx";
import { type Failures, type FailureGroup, failureGroupsOf, sorted } from "./failure-groups.ts";
import { FailureFilters } from "./filters.tsx";
import { useMayRetry } from "./fix-and-retry.tsx";
import { messages } from "./list-messages.ts";
import { type FailureSearch, isFiltered } from "./search-params.ts";

/** Loaded only if payouts are assigned or snoozed individually. */
const IndividualPayouts = lazy(() => import("./individual-payouts.tsx"));

/** Loaded when an action is chosen. */
const ActionDialog = lazy(() => import("../../payout-action/action-dialog.tsx"));

/** Loaded when the reader opens a group for the first time. */
const GroupDrawer = lazy(() => import("./group-drawer.tsx"));

/** The failure groups found, with filters, sums and the details of one group. */
export default function FailureList({
  failures,
  totals,
  search,
  onSearch,
}: {
  /** Undefined: the failures could not be loaded. */
  readonly failures: Failures | undefined;
  /** The payouts in each state that the other filters find. */
  readonly totals: Failures["totals"];
  readonly search: FailureSearch;
  readonly onSearch: (next: FailureSearch) => void;
}) {
  const me = usePerson()?.id;
  const mayRetry = useMayRetry();
  const [chosen, setChosen] = useState<ChosenAction | null>(null);
  const [opened, setOpened] = useState<{ key: string; isOpen: boolean } | null>(null);
  const { snoozed, sort = "largest" } = search;
  const isShown = (each: Assignment): boolean => snoozed === "shown" || !isSnoozed(each);
  const { all, payouts } = assignedAs(search.whose, failures, me);
  const shown = all.filter(({ assignment }) => isShown(assignment));
  const rows = sorted(shown, sort);
  return (
    <>
      <Snoozed
        groups={all.filter(({ assignment }) => isSnoozed(assignment))}
        payouts={payouts.filter(isSnoozed)}
        isShown={snoozed === "shown"}
        onShow={(show) => onSearch(withSnoozed(search, show))}
      />
      <ListTable
        id="failures"
        caption={messages.caption}
        columns={failureColumns(search, ({ key }) => setOpened({ key, isOpen: true }), mayRetry)}
        rows={rows}
        rowKey={({ key }) => key}
        sort={{ by: sort, onChange: (by) => onSearch({ ...search, sort: by }) }}
        filters={JSON.stringify(search)}
        views={<ListViews page="failures" search={search} />}
        toolbar={<FailureFilters search={search} totals={totals} onSearch={onSearch} />}
        summary={failures ? <Sums of={rows} /> : null}
        more={null}
        empty={failures ? <NoFailures search={search} onSearch={onSearch} /> : null}
      />
      {failures && failures.groups_total > failures.groups.length ? (
        <Text size="sm" c="dimmed">
          {messages.largestGroups(failures.groups.length, failures.groups_total)}
        </Text>
      ) : null}
      {failures && payouts.some(isShown) ? (
        <Suspense>
          <IndividualPayouts payouts={payouts.filter(isShown)} total={failures.payouts_total} />
        </Suspense>
      ) : null}
      {failures && opened !== null ? (
        <Suspense>
          <GroupDrawer
            of={all.find(({ key }) => key === opened.key)}
            isOpen={opened.isOpen}
            search={search}
            readAt={failures.at}
            onChoose={setChosen}
            onClose={() => setOpened({ ...opened, isOpen: false })}
          />
        </Suspense>
      ) : null}
      <Chosen action={chosen} onClosed={() => setChosen(null)} />
    </>
  );
}

/** The dialog of the action that the reader has chosen for a group. */
const Chosen = ({
  action,
  onClosed,
}: {
  readonly action: ChosenAction | null;
  readonly onClosed: () => void;
}) =>
  action ? (
    <Suspense>
      <ActionDialog key={action.openedAt} chosen={action} onClosed={onClosed} />
    </Suspense>
  ) : null;

function withSnoozed(search: FailureSearch, show: boolean): FailureSearch {
  const { snoozed: _, ...others } = search;
  return show ? { ...others, snoozed: "shown" } : others;
}

/** Returns the failure groups and the individual payouts with the wanted assignment. */
function assignedAs(
  whose: string | undefined,
  failures: Failures | undefined,
  me: string | undefined,
) {
  const isWanted = ({ assigned_to }: Assignment): boolean =>
    whose === "me" ? assigned_to?.id === me : whose === "nobody" ? assigned_to === null : true;
  return {
    all: failures ? failureGroupsOf(failures).filter((each) => isWanted(each.assignment)) : [],
    payouts: failures?.payouts.filter(isWanted) ?? [],
  };
}

const payoutsIn = (groups: readonly FailureGroup[]): number =>
  groups.reduce((sum, { count }) => sum + count, 0);

/** The listed groups and payouts, and their sum in each currency. */
function Sums({ of }: { readonly of: readonly FailureGroup[] }) {
  const lines = of.flatMap(({ groups }) => groups);
  const totals = sumByCurrency(lines).map((sum) => ({
    ...sum,
    payouts: lines.reduce(
      (total, { currency, count }) => total + (currency === sum.currency ? count : 0),
      0,
    ),
  }));
  return <ListSummary found={messages.found(of.length, payoutsIn(of))} totals={totals} />;
}

const NONE_OF: Readonly<Record<string, string>> = messages.noneAssigned;

const NoFailures = ({
  search,
  onSearch,
}: {
  readonly search: FailureSearch;
  readonly onSearch: (next: FailureSearch) => void;
}) =>
  isFiltered(search) ? (
    <EmptyState text={NONE_OF[search.whose ?? ""] ?? messages.noMatches}>
      <Button variant="default" onClick={() => onSearch({})}>
        {messages.clearFilters}
      </Button>
    </EmptyState>
  ) : (
    <EmptyState text={messages.noFailures} />
  );

/**
 * Counts the snoozed failures, which the page hides unless the reader shows them. A group that is
 * snoozed takes its row with it, and the focus moves here.
 */
function Snoozed({
  groups,
  payouts,
  isShown,
  onShow,
}: {
  readonly groups: readonly FailureGroup[];
  readonly payouts: readonly Assignment[];
  readonly isShown: boolean;
  readonly onShow: (show: boolean) => void;
}) {
  if (groups.length + payouts.length === 0) return null;
  return (
    <Group gap="sm">
      <Text size="sm" role="status" tabIndex={-1} data-focus-if-lost>
        {messages.snoozed.summary(groups.length, payoutsIn(groups), payouts.length)}
      </Text>
      <Button size="xs" variant="default" onClick={() => onShow(!isShown)}>
        {isShown ? messages.snoozed.hide : messages.snoozed.show}
      </Button>
    </Group>
  );
}
