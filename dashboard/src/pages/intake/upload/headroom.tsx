import { Button, Text } from "@mantine/core";
import { dateTimeText } from "../../../base/dates.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, call } from "../../../server/client.ts";
import { LaneName } from "../../../components/payout/lane-name.tsx";
import { Amount, PlainAmount } from "../../../components/amount.tsx";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { Section } from "../../../components/section.tsx";
import { messages } from "./messages.tsx";

const texts = messages.headroom;

type Headroom = Answer<"GET /api/payout-limits/headroom">;

/** More lanes are shown on request. */
const LANES_SHOWN = 5;

/** The remaining payout limits and balances, shown before the upload. */
export function Headroom() {
  const { data: headroom } = useQuery({
    queryKey: ["GET /api/payout-limits/headroom"],
    queryFn: ({ signal }) => call("GET /api/payout-limits/headroom", { signal }),
  });
  const [isWhole, setWhole] = useState(false);
  if (!headroom || headroom.items.length + headroom.lanes.length === 0) return null;
  const { lanes } = headroom;
  const shown = isWhole ? lanes : lanes.slice(0, LANES_SHOWN);
  return (
    <Section title={texts.title} caption={asOfOldest(lanes)} foldsOnPhone>
      {headroom.items.length > 0 ? (
        <>
          <DataTable
            caption={texts.limits}
            columns={LIMITS}
            rows={headroom.items}
            rowKey={({ scope, currency, hard }) => `${scope} ${currency} ${hard}`}
          />
          <Text size="sm">{texts.explanation(headroom.zone)}</Text>
        </>
      ) : null}
      {lanes.length > 0 ? (
        <DataTable
          caption={texts.balances}
          hideCaption={headroom.items.length === 0}
          columns={LANES}
          rows={shown}
          rowKey={({ lane }) => lane}
        />
      ) : null}
      {shown.length < lanes.length ? (
        <div>
          <Button variant="default" size="xs" onClick={() => setWhole(true)}>
            {texts.showAll(lanes.length)}
          </Button>
        </div>
      ) : null}
    </Section>
  );
}

const LIMITS: readonly Column<Headroom["items"][number]>[] = [
  {
    key: "of",
    header: texts.limit,
    names: true,
    cell: ({ says, hard }) => texts.limitOf(says, hard),
  },
  {
    key: "allowed",
    header: texts.allowed,
    numeric: true,
    cell: ({ currency, amount }) => <Amount of={{ currency, amount }} />,
  },
  {
    key: "left",
    header: texts.left,
    numeric: true,
    cell: ({ left }) => <Amount of={left} />,
  },
];

const LANES: readonly Column<Headroom["lanes"][number]>[] = [
  { key: "lane", header: texts.lane, names: true, cell: ({ lane }) => <LaneName lane={lane} /> },
  {
    key: "free",
    header: texts.free,
    numeric: true,
    card: "amount",
    cell: ({ free }) => (free ? <PlainAmount of={free} /> : texts.notKnown),
  },
  {
    key: "reserved",
    header: texts.reserved,
    numeric: true,
    cell: ({ reserved }) => <PlainAmount of={reserved} />,
  },
  {
    key: "settled",
    header: texts.settledSince,
    numeric: true,
    cell: ({ settled_since: settled }) => (settled ? <PlainAmount of={settled} /> : texts.notKnown),
  },
];

/** The time of the oldest balance. */
function asOfOldest(lanes: Headroom["lanes"]): string | undefined {
  const [oldest] = lanes.flatMap(({ reported_at: at }) => at ?? []).toSorted();
  return oldest === undefined ? undefined : texts.asOf(dateTimeText(oldest));
}
