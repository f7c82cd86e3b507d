import { Group, NativeSelect, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { Amount } from "../../components/amount.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Loading } from "../../components/loading.tsx";
import {
  currentMonth,
  datesFrom,
  MonthButtons,
  MonthGrid,
  monthTitle,
} from "../../components/month-grid/month-grid.tsx";
import { Page } from "../../components/page.tsx";
import { useLaneName } from "../../components/payout/lane-name.tsx";
import { PageLink } from "../../components/page-link.tsx";
import { Section } from "../../components/section.tsx";
import { type Answer, call } from "../../server/client.ts";
import { DayStateBadge } from "./day-state.tsx";
import { LaneOverview } from "./lane-overview.tsx";
import { messages } from "./messages.tsx";
import { NextDay } from "./next-day.tsx";
import { dayAddress } from "../reconciliation/search-params.ts";

const route = getRouteApi("/dashboard/reconciliation/days");

type Days = Answer<"GET /api/days">;
type OpenedLane = Days["lanes"][number];

/** The calendar of closed business days, for one lane and month. */
export function DaysPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [current] = useState(() => currentMonth());
  const { month = current } = search;
  const { data, error, refetch } = useQuery({
    queryKey: ["GET /api/days", month],
    queryFn: ({ signal }) => call("GET /api/days", { query: { month }, signal }),
    placeholderData: (before) => before,
  });
  const laneName = useLaneName();
  const lane = data?.lanes.find((each) => each.lane === search.lane) ?? data?.lanes[0];
  const go = (next: typeof search): void =>
    void navigate({ to: "/reconciliation/days", search: { ...search, ...next } });
  return (
    <Page
      title={messages.title}
      facts={messages.explained}
      crumbs={[{ to: "/reconciliation", label: messages.reconciliation }]}
    >
      {error && !data ? <ErrorState error={error} reset={() => void refetch()} /> : null}
      {!data && !error ? <Loading lines={8} /> : null}
      {lane ? <NextDay lane={lane.lane} day={lane.next_day} /> : null}
      {data ? <LaneOverview of={data} {...(lane && { shown: lane.lane })} /> : null}
      {data && lane ? (
        <Section
          title={monthTitle(month)}
          actions={<MonthButtons month={month} onMonth={(next) => go({ month: next })} />}
        >
          <Stack>
            <Group align="end">
              <NativeSelect
                label={messages.lane}
                data={data.lanes.map((each) => ({ value: each.lane, label: laneName(each.lane) }))}
                value={lane.lane}
                onChange={({ currentTarget }) => go({ lane: currentTarget.value })}
              />
              <Text size="sm" c="dimmed">
                {messages.zone(lane.zone)}
              </Text>
            </Group>
            <Calendar month={month} lane={lane} items={data.items} />
          </Stack>
        </Section>
      ) : null}
    </Page>
  );
}

function Calendar({
  month,
  lane,
  items,
}: {
  readonly month: string;
  readonly lane: OpenedLane;
  readonly items: Days["items"];
}) {
  const closed = new Map(
    items.filter((each) => each.lane === lane.lane).map((each) => [each.day, each]),
  );
  const [now] = useState(() => new Date());
  const today = now.toLocaleDateString("en-CA", { timeZone: lane.zone });
  return (
    <MonthGrid
      days={datesFrom(month, lane.first_day).map((date) => {
        const item = closed.get(date);
        const isListed = item !== undefined || (date >= lane.first_day && date <= today);
        return {
          date,
          content: isListed ? (
            <Day date={date} lane={lane.lane} item={item} isToday={date === today} />
          ) : null,
        };
      })}
    />
  );
}

const Day = ({
  date,
  lane,
  item,
  isToday,
}: {
  readonly date: string;
  readonly lane: string;
  readonly isToday: boolean;
  /** Undefined: the day is open. */
  readonly item: Days["items"][number] | undefined;
}) => (
  <>
    <span>
      <DayStateBadge state={item?.state ?? "open"} />
    </span>
    <PageLink to={dayAddress(date, lane)}>
      {item ? <Amount of={{ currency: item.currency, amount: item.closing }} /> : messages.openDay}
    </PageLink>
    {isToday && !item ? (
      <Text size="xs" c="dimmed">
        {messages.today}
      </Text>
    ) : null}
    {item && (item.reopening || item.verdict !== "open_breaks") ? (
      <Text size="xs" c="dimmed">
        {item.reopening?.cause_text ?? item.verdict_text}
      </Text>
    ) : null}
    {item && item.open_breaks > 0 ? (
      <Text size="xs">{messages.breaks(item.open_breaks)}</Text>
    ) : null}
  </>
);
