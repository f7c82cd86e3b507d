import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { call } from "../../../server/client.ts";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { UserText } from "../../../components/user-text.tsx";
import { type ListedPayout, FILE_ROW_COLUMNS } from "../../../components/payout/payout-table.tsx";
import { Section } from "../../../components/section.tsx";
import { messages } from "./messages.tsx";

const texts = messages.firstRows;

const SHOWN = 8;
/** Corrected rows are at the end of the list, although their lines may be the first. */
const SEARCHED = 100;

const { line, name, account, amount } = FILE_ROW_COLUMNS;
const COLUMNS: readonly Column<ListedPayout>[] = [
  line,
  name,
  { key: "bank", header: texts.bank, cell: ({ bank }) => bank ?? "–" },
  account,
  amount,
  {
    key: "reference",
    header: texts.reference,
    cell: ({ reference }) => (reference === null ? "–" : <UserText text={reference} />),
  },
];

/**
 * The first rows as payrun reads them. The reader notices a shifted column or a wrong decimal mark
 * here.
 */
export function FirstRows({ batchId }: { readonly batchId: string }) {
  const { data: page } = useQuery({
    queryKey: ["GET /api/payouts", "first-rows", batchId],
    queryFn: ({ signal }) =>
      call("GET /api/payouts", {
        query: { batch: batchId, sort: "oldest", limit: SEARCHED },
        signal,
      }),
  });
  if (!page || page.items.length === 0) return null;
  return (
    <Section title={texts.title} foldsOnPhone>
      <Text size="sm" c="dimmed">
        {texts.hint}
      </Text>
      <DataTable
        caption={texts.caption}
        hideCaption
        columns={COLUMNS}
        rows={page.items.toSorted((one, other) => one.line - other.line).slice(0, SHOWN)}
        rowKey={({ code }) => code}
      />
    </Section>
  );
}
