import { Anchor, Button, Group, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { addressOf } from "../../../server/address.ts";
import { type Answer, call } from "../../../server/client.ts";
import { EmptyState } from "../../../components/empty-state.tsx";
import { ErrorState } from "../../../components/error-state.tsx";
import { Loading } from "../../../components/loading.tsx";
import { Page } from "../../../components/page.tsx";
import { RetryBatches } from "../../../components/payout/retry-batches.tsx";
import { SavedViews } from "../../../components/forms/saved-views.tsx";
import { Section } from "../../../components/section.tsx";
import { isSnoozed, type Assignment } from "../../../components/payout/assignment.tsx";
import { formatMoney } from "../../../base/money.ts";
import { usePerson } from "../../../server/session.ts";
import { PAYOUT_STATES } from "../../../base/state.ts";
import { type FailureGroup, failureGroupsOf } from "./failure-groups.ts";
import { FailureGroupItem } from "./failure-group.tsx";
import classes from "./failures.module.css";
import { FailureFilters, failureStateLabel } from "./filters.tsx";
import { IndividualPayouts } from "./individual-payouts.tsx";
import { messages } from "./messages.ts";
import { type FailureSearch, failuresQuery } from "./search-params.ts";

type Failures = Answer<"GET /api/failures">;
type State = Failures["totals"][number]["state"];

const route = getRouteApi("/dashboard/failures");

/** Failures by who must act: an operator, the uploader, or payrun. */
export function FailuresPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = failuresQuery(search);
  const {
    data: failures,
    error,
    refetch,
  } = useQuery({
    queryKey: ["GET /api/failures", query],
    queryFn: ({ signal }) => call("GET /api/failures", { query, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  });
  const go = (next: FailureSearch): void => void navigate({ to: "/failures", search: next });
  const isFiltered = Object.keys(search).length > 0;
  return (
    <Page
      title={messages.title}
      actions={
        failures && failures.groups_total > 0 ? (
          <Anchor href={addressOf("GET /api/failures/file", { query }).address} download size="sm">
            {messages.downloadAll}
          </Anchor>
        ) : null
      }
    >
      <FailureFilters key={JSON.stringify(search)} search={search} onFilter={go} />
      <SavedViews page="failures" search={search} />
      {error ? <ErrorState error={error} reset={() => void refetch()} /> : null}
      {search.batch ? <RetryBatches id={search.batch} version="" /> : null}
      {failures ? (
        <Found failures={failures} search={search} onFilter={go}>
          <EmptyState text={isFiltered ? messages.noMatches : messages.noFailures}>
            {isFiltered ? (
              <Button variant="default" onClick={() => go({})}>
                {messages.clearFilters}
              </Button>
            ) : null}
          </EmptyState>
        </Found>
      ) : error ? null : (
        <Loading lines={8} />
      )}
    </Page>
  );
}

const ACTORS = ["operator", "maker", "payrun"] as const;

function Found({
  failures,
  search,
  onFilter,
  children,
}: {
  readonly failures: Failures;
  readonly search: FailureSearch;
  readonly onFilter: (next: FailureSearch) => void;
  readonly children: React.ReactNode;
}) {
  const me = usePerson()?.id;
  const { groups, groups_total, totals, at, payouts, payouts_total } = failures;
  if (groups.length === 0) return children;
  const all = failureGroupsOf(failures);
  const largest = Math.max(...all.map(({ count }) => count));
  const { snoozed, ...others } = search;
  const { whose } = search;
  const theirs = all.filter(({ assignment }) => hasAssignment(assignment, whose, me));
  const ones = payouts.filter((payout) => hasAssignment(payout, whose, me));
  const isOut = (assignment: Assignment) => snoozed !== "shown" && isSnoozed(assignment);
  const shownGroups = theirs.filter(({ assignment }) => !isOut(assignment));
  const shownOnes = ones.filter((payout) => !isOut(payout));
  return (
    <>
      <Totals of={totals} />
      <Snoozed
        groups={theirs.filter(({ assignment }) => isSnoozed(assignment))}
        payouts={ones.filter(isSnoozed)}
        isShown={snoozed === "shown"}
        onShow={(show) => onFilter({ ...others, ...(show ? { snoozed: "shown" } : {}) })}
      />
      {theirs.length + ones.length === 0 ? (
        <EmptyState text={NONE_OF[whose ?? ""] ?? messages.noMatches} />
      ) : null}
      {shownOnes.length === 0 ? null : (
        <IndividualPayouts payouts={shownOnes} total={payouts_total} />
      )}
      {ACTORS.map((acts) => {
        const { title, explanation } = messages.sections[acts];
        const some = shownGroups.filter((group) => group.next_actor === acts);
        return some.length === 0 ? null : (
          <Section key={acts} title={title}>
            <Text size="sm" c="dimmed">
              {explanation}
            </Text>
            <ul className={classes.groups}>
              {some.map((group) => (
                <FailureGroupItem
                  key={group.key}
                  of={group}
                  largest={largest}
                  search={search}
                  readAt={at}
                />
              ))}
            </ul>
          </Section>
        );
      })}
      {groups_total > groups.length ? (
        <Text size="sm" c="dimmed">
          {messages.largestGroups(groups.length, groups_total)}
        </Text>
      ) : null}
    </>
  );
}

const NONE_OF: Readonly<Record<string, string>> = messages.noneAssigned;

const hasAssignment = (
  { assigned_to }: Assignment,
  whose: string | undefined,
  me: string | undefined,
): boolean =>
  whose === "me" ? assigned_to?.id === me : whose === "nobody" ? assigned_to === null : true;

/** Counts the snoozed failures, which the page hides unless the reader shows them. */
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
  const status = useRef<HTMLParagraphElement>(null);
  const snoozed = groups.length + payouts.length;
  const before = useRef(snoozed);
  useEffect(() => {
    // The snoozed group had the focus and is no longer on the page.
    const isMore = snoozed > before.current;
    if (isMore && document.activeElement === document.body) status.current?.focus();
    before.current = snoozed;
  }, [snoozed]);
  if (snoozed === 0) return null;
  const inAll = groups.reduce((sum, { count }) => sum + count, 0);
  return (
    <Group gap="sm">
      <Text size="sm" role="status" ref={status} tabIndex={-1}>
        {messages.snoozed.summary(groups.length, inAll, payouts.length)}
      </Text>
      <Button size="xs" variant="default" onClick={() => onShow(!isShown)}>
        {isShown ? messages.snoozed.hide : messages.snoozed.show}
      </Button>
    </Group>
  );
}

const toneOf = (state: State): string => PAYOUT_STATES[state].tone;

function Totals({ of }: { readonly of: Failures["totals"] }) {
  return (
    <ul className={classes.totals} aria-label={messages.totals}>
      {of.map(({ state, count, sums }) => (
        <li key={state} data-tone={toneOf(state)}>
          <strong>{messages.payouts(count)}</strong> {failureStateLabel(state)}
          <span className="tabular">{sums.map((sum) => formatMoney(sum)).join(" · ")}</span>
        </li>
      ))}
    </ul>
  );
}
