import { Anchor, Button, Group, NativeSelect, Text, TextInput } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { addressOf } from "../../address.ts";
import { type Answer, call } from "../../client.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Loading } from "../../components/loading.tsx";
import { Page } from "../../components/page.tsx";
import { RemainderOf } from "../../components/remainder.tsx";
import { Section } from "../../components/section.tsx";
import { formatMoney } from "../../money.ts";
import { PAYOUT_STATES } from "../../state.ts";
import { plural } from "../../words.ts";
import { type CauseGroups, causesOf } from "./causes.ts";
import { CauseOf } from "./cause.tsx";
import classes from "./failures.module.css";
import { failureSearch, type FailureSearch, queryOf } from "./search.ts";

type Failures = Answer<"GET /api/failures">;
type State = Failures["totals"][number]["state"];

const route = getRouteApi("/desk/failures");

/** What did not go its way, by who has to act and what on. */
export function FailuresPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = queryOf(search);
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
      title="Failures"
      actions={
        failures && failures.groups_total > 0 ? (
          <Anchor href={addressOf("GET /api/failures/file", { query }).address} download size="sm">
            Download all as CSV
          </Anchor>
        ) : null
      }
    >
      <Filters key={JSON.stringify(search)} search={search} onFilter={go} />
      {error ? <ErrorState error={error} reset={() => void refetch()} /> : null}
      {search.batch ? <RemainderOf id={search.batch} again="" /> : null}
      {failures ? (
        <Found failures={failures} search={search}>
          <EmptyState
            text={
              isFiltered
                ? "Nothing of this kind has failed, is in doubt or needs a person."
                : "No payout has failed, is in doubt or needs a person."
            }
          >
            {isFiltered ? (
              <Button variant="default" onClick={() => go({})}>
                Show all
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

const ACTORS = [
  {
    acts: "operator",
    title: "Needs a person",
    says: "payrun neither sends these nor asks for them by itself. Do not pay them again before the cause is cleared.",
  },
  {
    acts: "maker",
    title: "To be corrected",
    says: "The gateway says, conclusively, that it will not pay these. Each may be brought again in a new file, once its row is right, or as it is from the page of its batch.",
  },
  {
    acts: "payrun",
    title: "payrun goes on by itself",
    says: "These are being asked for, or wait to be sent with the same code. Do not pay them again.",
  },
] as const;

function Found({
  failures,
  search,
  children,
}: {
  readonly failures: Failures;
  readonly search: FailureSearch;
  readonly children: React.ReactNode;
}) {
  const { groups, groups_total, totals } = failures;
  if (groups.length === 0) return children;
  const causes = causesOf(groups);
  const largest = Math.max(...causes.map(({ count }) => count));
  return (
    <>
      <Totals of={totals} />
      {ACTORS.map(({ acts, title, says }) => {
        const theirs = causes.filter((cause) => cause.acts === acts);
        return theirs.length === 0 ? null : (
          <Section key={acts} title={title}>
            <Text size="sm" c="dimmed">
              {says}
            </Text>
            <ul className={classes.causes}>
              {theirs.map((cause: CauseGroups) => (
                <CauseOf key={cause.key} of={cause} largest={largest} search={search} />
              ))}
            </ul>
          </Section>
        );
      })}
      {groups_total > groups.length ? (
        <Text size="sm" c="dimmed">
          The {groups.length} largest of {groups_total.toLocaleString()} groups are shown. The file
          has every payout.
        </Text>
      ) : null}
    </>
  );
}

const wordOf = (state: State): string =>
  state === "approved" ? "put off" : PAYOUT_STATES[state].word;
const toneOf = (state: State): string => PAYOUT_STATES[state].tone;

function Totals({ of }: { readonly of: Failures["totals"] }) {
  return (
    <ul className={classes.totals} aria-label="In all">
      {of.map(({ state, count, sums }) => (
        <li key={state} data-tone={toneOf(state)}>
          <strong>{plural(count, "payout")}</strong>{" "}
          {state === "held" && count > 1 ? "need you" : wordOf(state)}
          <span className="tabular">{sums.map((sum) => formatMoney(sum)).join(" · ")}</span>
        </li>
      ))}
    </ul>
  );
}

const STATES = [
  { value: "", label: "any" },
  ...(["declined", "held", "in_doubt", "returned", "approved"] as const).map((state) => ({
    value: state,
    label: wordOf(state),
  })),
];

function Filters({
  search,
  onFilter,
}: {
  readonly search: FailureSearch;
  readonly onFilter: (next: FailureSearch) => void;
}) {
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onFilter(failureSearch(Object.fromEntries(new FormData(event.currentTarget))));
  };
  return (
    <search aria-label="Failures">
      <form onSubmit={submit}>
        <Group align="flex-end" gap="sm">
          <NativeSelect
            label="State"
            name="state"
            data={STATES}
            defaultValue={search.state ?? ""}
          />
          <TextInput
            label="Currency"
            name="currency"
            placeholder="INR"
            autoComplete="off"
            defaultValue={search.currency ?? ""}
          />
          <TextInput
            label="Batch"
            name="batch"
            autoComplete="off"
            defaultValue={search.batch ?? ""}
          />
          <TextInput label="Since" name="from" type="date" defaultValue={search.from ?? ""} />
          <TextInput label="Until" name="to" type="date" defaultValue={search.to ?? ""} />
          <Button type="submit" variant="default">
            Find
          </Button>
        </Group>
      </form>
    </search>
  );
}
