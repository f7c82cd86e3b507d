import { Skeleton, Text } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { ExportMenu } from "../../components/export-menu.tsx";
import { FIVE_ON_PHONE } from "../../components/folded-rows.tsx";
import { PageLink } from "../../components/page-link.tsx";
import { Section } from "../../components/section.tsx";
import { PlainAmount } from "../../components/amount.tsx";
import { messages as common } from "../../base/messages.ts";
import { messages } from "./messages.ts";
import type { Fees, Results, Times } from "./queries.ts";
import { fileAddress, type FileQuery, settledAddress } from "./search-params.ts";
import { type SummaryRow, summaryRows, totalOf } from "./summary-rows.ts";
import { boundText } from "./units.ts";

const texts = messages.summary;

type Found<Report> = Pick<UseQueryResult<Report>, "data" | "error" | "refetch">;

/** The figures of the whole period, with one row for each currency. */
export function Summary({
  results,
  fees,
  times,
  query,
  lane,
  hasCharts,
}: {
  readonly results: Found<Results>;
  readonly fees: Found<Fees>;
  readonly times: Found<Times>;
  /** The filters of the file. */
  readonly query: FileQuery;
  readonly lane: string | undefined;
  /** Whether the period has enough days for charts. */
  readonly hasCharts: boolean;
}) {
  const failed = [results, fees, times].find(({ error }) => error);
  if (failed) return <ErrorState error={failed.error} reset={() => void failed.refetch()} />;
  const { data } = results;
  if (!data) return <Skeleton height={160} radius="md" />;
  const rows = summaryRows(data, fees.data, times.data);
  if (rows.length === 0) {
    return (
      <Section title={texts.title}>
        <Text size="sm">{messages.noPayouts}</Text>
      </Section>
    );
  }
  const settledOf = (currency: string) =>
    settledAddress({ currency, lane, from: data.starts_at, to: data.ends_at });
  return (
    <Section
      title={texts.title}
      actions={
        <ExportMenu size="xs" addressOf={(format) => fileAddress("summary", query, format)} />
      }
      isFlush
    >
      <Text size="xs" c="dimmed" px="md" pb="sm">
        {hasCharts ? common.successRate : `${common.successRate} ${texts.chartsLater}`}
      </Text>
      <DataTable
        caption={texts.title}
        hideCaption
        columns={columnsOf(settledOf).filter(
          ({ key }) =>
            !ONLY_IF_ANY.some((each) => each === key && rows.every((row) => row[each] === 0)),
        )}
        rows={rows}
        rowKey={({ currency }) => currency ?? ""}
        fold={FIVE_ON_PHONE}
        total={rows.length > 1 ? totalOf(rows) : undefined}
      />
    </Section>
  );
}

/** Columns that would only have zeros in most periods. */
const ONLY_IF_ANY = ["declined", "returned"] as const;

/** An amount of a currency. The total has none, because it would add up currencies. */
const amountIn = ({ currency }: SummaryRow, amount: string | null) =>
  currency === null ? null : amount === null ? "–" : <PlainAmount of={{ currency, amount }} />;

/** A second line of a cell. */
const note = (text: string | null) =>
  text === null ? null : (
    <Text size="xs" c="dimmed">
      {text}
    </Text>
  );

const columnsOf = (settledOf: (currency: string) => string): readonly Column<SummaryRow>[] => [
  {
    key: "currency",
    header: texts.currency,
    names: true,
    cell: ({ currency }) =>
      currency === null ? (
        texts.total
      ) : (
        <PageLink to={settledOf(currency)} row>
          {currency}
        </PageLink>
      ),
  },
  {
    key: "settled",
    header: texts.settled,
    numeric: true,
    card: "amount",
    cell: (row) => amountIn(row, row.settledAmount),
  },
  ...FURTHER_COLUMNS,
];

const FURTHER_COLUMNS: readonly Column<SummaryRow>[] = [
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
    isBlank: ({ declined }) => declined === 0,
    cell: ({ declined }) => declined.toLocaleString(),
  },
  {
    key: "rate",
    header: texts.rate,
    numeric: true,
    cell: ({ successPercent: percent }) =>
      percent === null ? "–" : messages.success.percent(percent),
  },
  {
    key: "returned",
    header: texts.returned,
    numeric: true,
    isBlank: ({ returned }) => returned === 0,
    cell: (row) => amountIn(row, row.returnedAmount),
  },
  {
    key: "fees",
    header: texts.fees,
    numeric: true,
    cell: (row) => {
      const missing = row.withoutFee > 0 ? note(texts.withoutFee(row.withoutFee)) : null;
      if (missing === null) return amountIn(row, row.fees);
      return (
        <>
          {amountIn(row, row.fees)}
          {missing}
        </>
      );
    },
  },
  {
    key: "median",
    header: texts.median,
    numeric: true,
    cell: ({ currency, medianSeconds }) =>
      currency === null ? null : (boundText(medianSeconds) ?? "–"),
  },
  {
    key: "within",
    header: texts.within,
    numeric: true,
    cell: ({ currency, p95Seconds }) => (currency === null ? null : (boundText(p95Seconds) ?? "–")),
  },
];
