import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type Answer, call } from "../../client.ts";
import { Amount } from "../../components/amount.tsx";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { Section } from "../../components/section.tsx";
import { When } from "../../components/when.tsx";

type Headroom = Answer<"GET /api/money-limits/headroom">;

/** What is left of the limits and balances, before a file is brought that passes them. */
export function Headroom() {
  const { data: headroom } = useQuery({
    queryKey: ["GET /api/money-limits/headroom"],
    queryFn: ({ signal }) => call("GET /api/money-limits/headroom", { signal }),
  });
  if (!headroom || headroom.items.length + headroom.lanes.length === 0) return null;
  return (
    <Section title="What may be approved">
      {headroom.items.length > 0 ? (
        <>
          <DataTable
            caption="Limits"
            columns={LIMITS}
            rows={headroom.items}
            rowKey={({ scope, currency, hard }) => `${scope} ${currency} ${hard}`}
          />
          <Text size="sm">
            A hard limit cannot be approved past; past a soft one it takes one more person. A day
            begins at midnight in {headroom.zone}.
          </Text>
        </>
      ) : null}
      {headroom.lanes.length > 0 ? (
        <DataTable
          caption="Balances"
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
    header: "Limit",
    names: true,
    cell: ({ says, hard }) => `${says} (${hard ? "hard" : "soft"})`,
  },
  {
    key: "allowed",
    header: "Allowed",
    numeric: true,
    cell: ({ currency, amount }) => <Amount of={{ currency, amount }} />,
  },
  {
    key: "left",
    header: "Left",
    numeric: true,
    cell: ({ left }) => <Amount of={left} />,
  },
];

const LANES: readonly Column<Headroom["lanes"][number]>[] = [
  { key: "lane", header: "Lane", names: true, cell: ({ lane }) => lane },
  {
    key: "free",
    header: "Free",
    numeric: true,
    cell: ({ free }) => (free ? <Amount of={free} /> : "not known"),
  },
  {
    key: "reserved",
    header: "Reserved",
    numeric: true,
    cell: ({ reserved }) => <Amount of={reserved} />,
  },
  { key: "at", header: "As of", cell: ({ told_at: at }) => <When at={at} /> },
];
