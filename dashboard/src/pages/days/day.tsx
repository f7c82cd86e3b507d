import { Alert, Anchor, Button, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Printer } from "lucide-react";
import { lazy, Suspense } from "react";
import { weekdayText } from "../../base/dates.ts";
import { Amount, PlainAmount } from "../../components/amount.tsx";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { ExportMenu } from "../../components/export-menu.tsx";
import { Loading } from "../../components/loading.tsx";
import { Page } from "../../components/page.tsx";
import { PageLink } from "../../components/page-link.tsx";
import { LaneName } from "../../components/payout/lane-name.tsx";
import { isNotFound } from "../../components/payout/record-page.tsx";
import { Section } from "../../components/section.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { TwoColumns } from "../../components/two-columns.tsx";
import { UserText } from "../../components/user-text.tsx";
import { CloseActions } from "./close-actions.tsx";
import { DayActions } from "./day-actions.tsx";
import { DayFigures } from "./day-figures.tsx";
import { dayQuery, type DayView } from "./day-query.ts";
import { DayFacts } from "./next-day.tsx";
import { DayStateBadge } from "./day-state.tsx";
import { messages } from "./messages.tsx";
import classes from "./day.module.css";
import { dayAddress } from "../reconciliation/search-params.ts";

/** Loaded on demand, because few days have no figures. */
const MissingDay = lazy(async () => ({
  default: (await import("./missing-day.tsx")).MissingDay,
}));

const texts = messages.day;
const route = getRouteApi("/dashboard/reconciliation/days/$day");

/** The page of one business day: its figures, versions and proposals. It can be printed. */
export function DayPage() {
  const { day } = route.useParams();
  const { lane = "", version } = route.useSearch();
  const asked = { day, lane, ...(version !== undefined && { version: Number(version) }) };
  const { data: shown, error, refetch } = useQuery(dayQuery(asked));
  const crumbs = [
    { to: "/reconciliation", label: messages.reconciliation },
    { to: `/reconciliation/days?lane=${encodeURIComponent(lane)}`, label: messages.title },
  ];
  if (isNotFound(error)) {
    return (
      <Page title={weekdayText(day, { year: true })} crumbs={crumbs}>
        <Suspense fallback={<Loading lines={4} />}>
          <MissingDay day={day} lane={lane} />
        </Suspense>
      </Page>
    );
  }
  return (
    <Page
      title={weekdayText(day, { year: true })}
      crumbs={crumbs}
      badge={shown ? <DayStateBadge state={shown.state} /> : undefined}
      facts={shown ? <Facts of={shown} /> : undefined}
      actions={shown ? <Downloads of={shown} /> : null}
    >
      {error ? <ErrorState error={error} reset={() => void refetch()} /> : null}
      {shown ? <Day of={shown} /> : error ? null : <Loading lines={8} />}
    </Page>
  );
}

interface Of {
  readonly of: DayView;
}

/** The lane, its time zone, and who closed the shown version. */
function Facts({ of: { lane, zone, version, versions } }: Of) {
  const closed = versions.find((each) => each.version === version);
  return (
    <>
      <LaneName lane={lane} />
      <span>{messages.zone(zone)}</span>
      {closed
        ? texts.closedByAt(
            <UserText text={closed.by.name} />,
            <Timestamp at={closed.at} relative={false} />,
          )
        : null}
    </>
  );
}

const Downloads = ({ of: { day, lane, version } }: Of) => (
  <>
    <Button
      variant="default"
      visibleFrom="xs"
      leftSection={<Printer size={15} aria-hidden />}
      onClick={() => window.print()}
    >
      {texts.print}
    </Button>
    <ExportMenu
      addressOf={(format) =>
        `/api/days/${day}/report?${new URLSearchParams({
          lane,
          format,
          ...(version === null ? {} : { version: String(version) }),
        }).toString()}`
      }
    />
  </>
);

function Day({ of }: Of) {
  const { day, lane, version, versions, items } = of;
  const newest = versions[0]?.version ?? null;
  const isOld = version !== null && version !== newest;
  const reopening = versions.find((each) => each.version === version)?.reopening;
  const title = version === null ? texts.previewed : texts.versionNumber(version);
  return (
    <TwoColumns
      main={
        <>
          {isOld ? (
            <Alert variant="light">
              {texts.old(version)}{" "}
              <PageLink to={dayAddress(day, lane)} isInText>
                {texts.latest}
              </PageLink>
            </Alert>
          ) : null}
          {reopening ? (
            <Alert variant="light" color="orange">
              {texts.reopenedAt} <Timestamp at={reopening.at} relative={false} />:{" "}
              {reopening.cause_text}
            </Alert>
          ) : null}
          <Section title={title} caption={of.verdict_text ?? undefined} isFlush>
            <DayFigures of={of} />
          </Section>
          {items.length > 0 ? (
            <Section title={texts.items} caption={itemsCaption(of)} isFlush>
              <DataTable
                caption={texts.items}
                hideCaption
                columns={itemColumns(of.currency)}
                rows={items}
                rowKey={({ code, at }) => `${code} ${at}`}
              />
            </Section>
          ) : null}
          {versions.length > 0 ? (
            <Section title={texts.versions} isFlush>
              <DataTable
                caption={texts.versions}
                hideCaption
                columns={versionColumns(of)}
                rows={versions}
                rowKey={(each) => String(each.version)}
              />
            </Section>
          ) : null}
        </>
      }
      isSideFirst={version === null}
      side={<Side of={of} />}
    />
  );
}

/** The steps of an open day and its close, or the ways to change a closed one. */
const Side = ({ of }: Of) => (
  <div className={classes.screen}>
    <Section title={of.version === null ? messages.actions.title : messages.actions.titleOfClosed}>
      <Stack>
        {of.version === null ? (
          <>
            <DayFacts of={of} />
            <CloseActions of={of} />
          </>
        ) : null}
        <DayActions of={of} />
      </Stack>
    </Section>
  </div>
);

/** Says which of the items are shown, and that those of an old version are the ones of now. */
function itemsCaption({ items, items_total: total, version, versions }: DayView) {
  if (items.length < total) return texts.firstItems(items.length, total);
  const isOld = versions.find((each) => each.version === version)?.reopening;
  return isOld ? texts.itemsNow : undefined;
}

const itemColumns = (currency: string): readonly Column<DayView["items"][number]>[] => [
  {
    key: "code",
    header: texts.code,
    names: true,
    cell: ({ code, movement }) => (
      <PageLink
        to={`/${movement === "deposits" ? "deposits" : "payouts"}/${encodeURIComponent(code)}`}
      >
        {code}
      </PageLink>
    ),
  },
  { key: "kind", header: texts.kind, cell: ({ movement }) => texts.itemKinds[movement] },
  {
    key: "amount",
    header: `${texts.amount} (${currency})`,
    numeric: true,
    cell: ({ amount }) => <PlainAmount of={{ currency, amount }} />,
  },
  { key: "at", header: texts.at, cell: ({ at }) => <Timestamp at={at} year relative={false} /> },
];

/** A proposal has only a number, which says nothing to a reader. */
const isProposal = ({ cause }: NonNullable<DayView["versions"][number]["reopening"]>): boolean =>
  cause === "adjustment" || cause === "person";

const versionColumns = ({
  day,
  lane,
  currency,
}: DayView): readonly Column<DayView["versions"][number]>[] => [
  {
    key: "version",
    header: texts.version,
    names: true,
    cell: ({ version }) => (
      <PageLink to={dayAddress(day, lane, version)}>{texts.versionNumber(version)}</PageLink>
    ),
  },
  {
    key: "closing",
    header: texts.closing,
    numeric: true,
    cell: ({ closing }) => <Amount of={{ currency, amount: closing }} />,
  },
  { key: "result", header: texts.result, cell: ({ verdict_text }) => verdict_text },
  { key: "by", header: texts.closedBy, cell: ({ by }) => <UserText text={by.name} /> },
  {
    key: "at",
    header: texts.closedAt,
    cell: ({ at }) => <Timestamp at={at} year relative={false} />,
  },
  {
    key: "reopened",
    header: texts.reopened,
    cell: ({ reopening }) =>
      reopening ? (
        <>
          {reopening.cause_text}{" "}
          {isProposal(reopening) ? null : <UserText text={reopening.object ?? ""} />}
        </>
      ) : (
        "–"
      ),
  },
  {
    key: "document",
    header: texts.document,
    cell: ({ version, digest }) => (
      <Anchor
        size="sm"
        href={`/api/days/${day}/document?${new URLSearchParams({ lane, version: String(version) }).toString()}`}
        download
        title={`${texts.digest} ${digest}`}
      >
        {digest.slice(0, 12)}
      </Anchor>
    ),
  },
];
