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
/** Number of corrected rows that are sorted among the others. */
const CORRECTED_MAX = 100;

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
export function FirstRows({
  batchId,
  isCorrected,
  folds,
}: {
  readonly batchId: string;
  /** The payouts of corrected rows are the newest ones. */
  readonly isCorrected: boolean;
  readonly folds: boolean;
}) {
  const oldest = usePayouts(batchId, "oldest", isCorrected ? CORRECTED_MAX : SHOWN);
  const newest = usePayouts(batchId, "newest", isCorrected ? CORRECTED_MAX : 0);
  if (!oldest || !newest) return null;
  const rows = inFileOrder([...oldest, ...newest]).slice(0, SHOWN);
  if (rows.length === 0) return null;
  return (
    <Section title={texts.title} foldsOnPhone folds={folds}>
      <Text size="sm" c="dimmed">
        {texts.hint}
      </Text>
      <DataTable
        caption={texts.caption}
        hideCaption
        columns={COLUMNS}
        rows={rows}
        rowKey={({ code }) => code}
      />
    </Section>
  );
}

/** Returns the oldest or newest payouts of a batch. Undefined: not loaded yet. */
function usePayouts(batchId: string, sort: "oldest" | "newest", limit: number) {
  const { data: page } = useQuery({
    queryKey: ["GET /api/payouts", "first-rows", batchId, sort, limit],
    queryFn: ({ signal }) =>
      call("GET /api/payouts", { query: { batch: batchId, sort, limit }, signal }),
    enabled: limit > 0,
  });
  return limit === 0 ? NONE : page?.items;
}

const NONE: readonly ListedPayout[] = [];

/** Sorts rows as in the file, each once. */
const inFileOrder = (rows: readonly ListedPayout[]): readonly ListedPayout[] =>
  [...new Map(rows.map((row) => [row.line, row])).values()].toSorted(
    (one, other) => one.line - other.line,
  );
