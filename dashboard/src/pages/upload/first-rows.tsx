import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { call } from "../../client.ts";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { Given } from "../../components/given.tsx";
import { type ListedPayout, ROW_COLUMNS } from "../../components/payout-table.tsx";
import { Section } from "../../components/section.tsx";

const SHOWN = 8;

const { line, name, account, amount } = ROW_COLUMNS;
const COLUMNS: readonly Column<ListedPayout>[] = [
  line,
  name,
  { key: "bank", header: "Bank", cell: ({ bank }) => bank ?? "–" },
  account,
  amount,
  {
    key: "reference",
    header: "Reference",
    cell: ({ reference }) => (reference === null ? "–" : <Given text={reference} />),
  },
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
