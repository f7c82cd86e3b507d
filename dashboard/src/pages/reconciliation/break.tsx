import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { LaneName } from "../../components/payout/lane-name.tsx";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { formatAmountsIn } from "../../base/money.ts";
import { Amount } from "../../components/amount.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { FactList } from "../../components/fact-list.tsx";
import { Loading } from "../../components/loading.tsx";
import { Page } from "../../components/page.tsx";
import { PageLink } from "../../components/page-link.tsx";
import { isNotFound } from "../../components/payout/record-page.tsx";
import { Section } from "../../components/section.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { TwoColumns } from "../../components/two-columns.tsx";
import { UserText } from "../../components/user-text.tsx";
import { dateText } from "../../base/dates.ts";
import { PageNotFound } from "../../shell/not-found.tsx";
import { dayAddress } from "./search-params.ts";
import { type ShownSide, sidesOf } from "./break-amounts.ts";
import { showDifference } from "./break-columns.tsx";
import { breakQuery, type BreakView } from "./break-query.ts";
import { BreakStateBadge } from "./break-state.tsx";
import classes from "./break.module.css";
import { messages } from "./messages.ts";

/** Loaded after the facts, which come first. */
const BreakActions = lazy(async () => ({
  default: (await import("./break-actions.tsx")).BreakActions,
}));

const texts = messages.page;
const crumbs = [{ to: "/reconciliation", label: messages.title }];

const route = getRouteApi("/dashboard/reconciliation/$id");

/** The page of one break: what both sides show, its history and its resolution. */
export function BreakPage() {
  const { id } = route.useParams();
  return /^[1-9]\d*$/.test(id) ? <OneBreak id={Number(id)} /> : <PageNotFound />;
}

function OneBreak({ id }: { readonly id: number }) {
  const { data: found, error, refetch } = useQuery(breakQuery(id));
  const title = texts.title(id);
  if (isNotFound(error)) {
    return (
      <Page title={title} crumbs={crumbs}>
        <EmptyState text={texts.missing} />
      </Page>
    );
  }
  const failed = error ? <ErrorState error={error} reset={() => void refetch()} /> : null;
  return (
    <Page
      title={found ? messages.classes[found.class] : title}
      crumbs={crumbs}
      badge={found ? <BreakStateBadge state={found.state} /> : undefined}
      facts={found?.class_text}
    >
      {failed}
      {found ? (
        <>
          <TwoColumns
            main={
              <Section title={texts.facts}>
                <Stack gap="sm">
                  <Sides of={found} />
                  {found.state === "open" ? (
                    <Text size="sm">{texts.next(messages.nextSteps[found.class])}</Text>
                  ) : null}
                  <Facts of={found} />
                </Stack>
              </Section>
            }
            side={
              <Section title={texts.actions}>
                <Suspense fallback={<Loading />}>
                  <BreakActions of={found} />
                </Suspense>
              </Section>
            }
          />
          <Section title={texts.history} isFlush>
            <History of={found} />
          </Section>
        </>
      ) : failed ? null : (
        <Loading lines={8} />
      )}
    </Page>
  );
}

interface Of {
  readonly of: BreakView;
}

/** The amounts of both sides next to each other, and their difference. */
function Sides({ of }: Of) {
  const { ledger, statement } = sidesOf(of);
  const isBalance = of.code === null && of.ledger_shows === null && ledger === null;
  return (
    <dl className={classes.sides}>
      {isBalance ? null : <Side name={messages.columns.ledger} of={ledger} />}
      <Side name={messages.columns.statement} of={statement} />
      {of.difference === null ? null : (
        <div>
          <dt>{messages.columns.difference}</dt>
          <dd>{showDifference(of)}</dd>
        </div>
      )}
    </dl>
  );
}

/** One side: its amount, or its text if that has none or several. */
const Side = ({ name, of }: { readonly name: string; readonly of: ShownSide | null }) => (
  <div>
    <dt>{name}</dt>
    {of?.money ? (
      <dd>
        <Amount of={of.money} />
      </dd>
    ) : null}
    {of?.money && of.rest === "" ? null : (
      <dd className={classes.rest}>
        {of === null ? texts.notContained : <UserText text={formatAmountsIn(of.rest)} />}
      </dd>
    )}
  </div>
);

function Facts({ of }: Of) {
  const { code, lines } = of;
  const file = of.file_name ?? "–";
  const linked = (name: string) =>
    of.has_payout ? <PageLink to={`/payouts/${encodeURIComponent(name)}`}>{name}</PageLink> : name;
  return (
    <FactList
      facts={[
        ...(code === null ? [] : [[messages.columns.code, linked(code)] as const]),
        ...(of.beneficiary === null
          ? []
          : [[texts.beneficiary, <UserText key="name" text={of.beneficiary} />] as const]),
        ...(of.batch_id === null
          ? []
          : [
              [
                texts.batch,
                <PageLink key="batch" to={`/batches/${of.batch_id}`}>
                  {of.batch_name ?? of.batch_id}
                </PageLink>,
              ] as const,
            ]),
        ...(of.settled_at === null
          ? []
          : [
              [
                texts.settledAt,
                <Timestamp key="settled" at={of.settled_at} relative={false} />,
              ] as const,
            ]),
        [
          messages.columns.day,
          <PageLink key="day" to={dayAddress(of.day, of.lane)}>
            {dateText(of.day)}
          </PageLink>,
        ],
        [messages.columns.lane, <LaneName key="lane" lane={of.lane} />],
        [texts.file, lines.length === 0 ? file : texts.fileLines(file, lines)],
        [messages.columns.assignee, of.assigned_to?.name ?? texts.nobody],
      ]}
    />
  );
}

type BreakEvent = BreakView["events"][number];

const HISTORY_COLUMNS: readonly Column<BreakEvent>[] = [
  {
    key: "event",
    header: messages.historyColumns.event,
    names: true,
    cell: ({ event }) => messages.events[event],
  },
  {
    key: "by",
    header: messages.historyColumns.by,
    cell: ({ by }) => <UserText text={by.name} />,
  },
  {
    key: "text",
    header: messages.historyColumns.text,
    cell: ({ text }) => (text === "" ? "–" : <UserText text={text} />),
  },
  {
    key: "at",
    header: messages.historyColumns.at,
    cell: ({ at }) => <Timestamp at={at} relative={false} />,
  },
];

const History = ({ of }: Of) => (
  <DataTable
    caption={texts.history}
    hideCaption
    columns={HISTORY_COLUMNS}
    rows={of.events}
    rowKey={({ at, event, text }) => `${at} ${event} ${text}`}
  />
);
