import { Skeleton } from "@mantine/core";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { Section } from "../../components/section.tsx";
import { formatAmount } from "../../base/money.ts";
import { messages } from "./messages.ts";
import type { Fees, Results, Times } from "./queries.ts";
import { boundText } from "./units.ts";

const texts = messages.summary;

type Row = Results["period"][number] & {
  readonly fees: string | undefined;
  readonly medianSeconds: number | null;
};

/** The figures of the whole period, with one row for each currency. */
export function Summary({
  results,
  fees,
  times,
}: {
  readonly results: Results | undefined;
  readonly fees: Fees | undefined;
  readonly times: Times | undefined;
}) {
  if (results === undefined) return <Skeleton height={160} radius="md" />;
  if (results.period.length === 0) return null;
  const rows = results.period.map((each) => ({
    ...each,
    fees: fees?.period.find(({ currency }) => currency === each.currency)?.amount,
    medianSeconds:
      times?.period.find(({ currency }) => currency === each.currency)?.median_seconds ?? null,
  }));
  return (
    <Section title={texts.title} isFlush>
      <DataTable
        caption={texts.title}
        hideCaption
        columns={COLUMNS}
        rows={rows}
        rowKey={({ currency }) => currency}
      />
    </Section>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  { key: "currency", header: texts.currency, names: true, cell: ({ currency }) => currency },
  {
    key: "settled",
    header: texts.settled,
    numeric: true,
    card: "amount",
    cell: ({ settled_amount: amount, currency }) => formatAmount(amount, currency),
  },
  {
    key: "payouts",
    header: texts.payouts,
    numeric: true,
    cell: ({ settled }) => settled.toLocaleString(),
  },
  {
    key: "declined",
    header: texts.declined,
    numeric: true,
    cell: ({ declined }) => declined.toLocaleString(),
  },
  {
    key: "returned",
    header: texts.returned,
    numeric: true,
    cell: ({ returned_amount: amount, currency }) => formatAmount(amount, currency),
  },
  {
    key: "rate",
    header: texts.rate,
    numeric: true,
    cell: ({ success_percent: percent }) =>
      percent === null ? "–" : messages.success.percent(percent),
  },
  {
    key: "fees",
    header: texts.fees,
    numeric: true,
    cell: ({ fees, currency }) => (fees === undefined ? "–" : formatAmount(fees, currency)),
  },
  {
    key: "median",
    header: texts.median,
    numeric: true,
    cell: ({ medianSeconds }) => boundText(medianSeconds) ?? "–",
  },
];
