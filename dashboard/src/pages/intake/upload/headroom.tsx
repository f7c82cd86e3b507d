import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { formatAmount } from "../../../base/money.ts";
import { type Answer, call } from "../../../server/client.ts";
import { Amount } from "../../../components/amount.tsx";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { Section } from "../../../components/section.tsx";
import { Timestamp } from "../../../components/timestamp.tsx";
import { messages } from "./messages.tsx";

const texts = messages.headroom;

type Headroom = Answer<"GET /api/payout-limits/headroom">;

/** The remaining payout limits and balances, shown before the upload. */
export function Headroom() {
  const { data: headroom } = useQuery({
    queryKey: ["GET /api/payout-limits/headroom"],
    queryFn: ({ signal }) => call("GET /api/payout-limits/headroom", { signal }),
  });
  if (!headroom || headroom.items.length + headroom.lanes.length === 0) return null;
  return (
    <Section title={texts.title}>
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
      {headroom.lanes.length > 0 ? (
        <DataTable
          caption={texts.balances}
          columns={LANES}
          rows={headroom.lanes}
          rowKey={({ lane }) => lane}
        />
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
  { key: "lane", header: texts.lane, names: true, cell: ({ lane }) => lane },
  {
    key: "free",
    header: texts.free,
    numeric: true,
    cell: ({ free }) => (free ? formatAmount(free.amount) : texts.notKnown),
  },
  {
    key: "reserved",
    header: texts.reserved,
    numeric: true,
    cell: ({ reserved }) => formatAmount(reserved.amount),
  },
  {
    key: "at",
    header: texts.asOf,
    cell: ({ reported_at: at }) => <Timestamp at={at} relative={false} />,
  },
];
