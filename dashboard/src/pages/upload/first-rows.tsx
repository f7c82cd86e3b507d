import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type Answer, call } from "../../client.ts";
import { Amount } from "../../components/amount.tsx";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { Go } from "../../components/go.tsx";
import { Section } from "../../components/section.tsx";

type Payout = Answer<"GET /api/payouts">["items"][number];

const SHOWN = 8;

const COLUMNS: readonly Column<Payout>[] = [
  { key: "line", header: "Line", numeric: true, cell: ({ line }) => line },
  {
    key: "name",
    header: "Beneficiary",
    names: true,
    cell: ({ code, beneficiary }) => <Go to={`/payouts/${code}`}>{beneficiary ?? code}</Go>,
  },
  { key: "bank", header: "Bank", cell: ({ bank }) => bank ?? "–" },
  {
    key: "account",
    header: "Account",
    cell: ({ account_last4 }) => (account_last4 === null ? "–" : `••${account_last4}`),
  },
  { key: "amount", header: "Amount", numeric: true, cell: (payout) => <Amount of={payout} /> },
  { key: "reference", header: "Reference", cell: ({ reference }) => reference ?? "–" },
];

/** What was understood, beside what was written: a shifted column or a wrong decimal sign is seen at a glance here. */
export function FirstRows({ batchId }: { readonly batchId: string }) {
  const { data: page } = useQuery({
    queryKey: ["GET /api/payouts", "first rows", batchId],
    queryFn: ({ signal }) =>
      call("GET /api/payouts", {
        query: { batch: batchId, sort: "oldest", limit: SHOWN },
        signal,
      }),
  });
  if (!page || page.items.length === 0) return null;
  return (
    <Section title="The first rows, as payrun reads them">
      <Text size="sm" c="dimmed">
        Compare them with the file: whom is it to pay, where, and how much?
      </Text>
      <DataTable
        caption="The first rows that can be sent"
        hideCaption
        columns={COLUMNS}
        rows={page.items}
        rowKey={({ code }) => code}
      />
    </Section>
  );
}
