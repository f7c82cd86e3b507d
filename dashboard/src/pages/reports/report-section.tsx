import { SimpleGrid, Skeleton, Text } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { type ComponentProps, lazy, type ReactNode, Suspense } from "react";
import { dateText } from "../../base/dates.ts";
import { ErrorState } from "../../components/error-state.tsx";
import { ExportMenu } from "../../components/export-menu.tsx";
import { Section } from "../../components/section.tsx";
import { dayAt } from "./day-series.ts";
import { messages } from "./messages.ts";
import classes from "./reports.module.css";
import { fileAddress, type FileQuery } from "./search-params.ts";

/** Loaded while the server answers. */
const Chart = lazy(async () => ({
  default: (await import("../../components/chart/chart.tsx")).Chart,
}));

const HEIGHT = 200;
const LOADING = <Skeleton height={HEIGHT} radius="md" />;

/** A report with its download: loading, an error, or its content. */
export function ReportSection<Report>({
  texts: { title, caption },
  report,
  query,
  found,
  children,
}: {
  readonly texts: { readonly title: string; readonly caption: string };
  /** The name of the report in addresses. */
  readonly report: string;
  readonly query: FileQuery;
  readonly found: Pick<UseQueryResult<Report>, "data" | "error" | "refetch">;
  readonly children: (report: Report) => ReactNode;
}) {
  const { data, error, refetch } = found;
  return (
    <Section
      title={title}
      actions={<ExportMenu size="xs" addressOf={(format) => fileAddress(report, query, format)} />}
    >
      <Text size="xs" c="dimmed">
        {caption}
      </Text>
      {error ? <ErrorState error={error} reset={() => void refetch()} /> : null}
      {data === undefined && !error ? LOADING : null}
      {data === undefined || error ? null : children(data)}
    </Section>
  );
}

type ChartFacts = ComponentProps<typeof Chart>;

/** The indexes of the days for which a chart has values. */
const knownDays = ({ times, series }: ChartFacts): number[] =>
  [...times.keys()].filter((at) => series.some(({ values }) => (values[at] ?? null) !== null));

/** The figures of currencies with one day only. A chart of each would be one bar or one point. */
const OnlyDays = ({ charts }: { readonly charts: readonly ChartFacts[] }) => (
  <ul className={classes.onlyDays} aria-label={messages.onlyDay}>
    {charts.map((chart) => (
      <li key={chart.title}>
        {chart.title} <small>{dateText(dayAt(chart.times[knownDays(chart)[0] ?? 0] ?? 0))}</small>
      </li>
    ))}
  </ul>
);

/** The charts of the currencies, next to each other if there is room. */
export function Charts({
  charts,
  none,
}: {
  readonly charts: readonly ChartFacts[];
  /** Shown without charts. */
  readonly none: string;
}) {
  const [drawn, short] = [
    charts.filter((chart) => knownDays(chart).length > 1),
    charts.filter((chart) => knownDays(chart).length <= 1),
  ];
  if (charts.length === 0) return <Text size="sm">{none}</Text>;
  return (
    <>
      {drawn.length === 0 ? null : (
        <Suspense fallback={LOADING}>
          <SimpleGrid cols={{ base: 1, md: drawn.length === 1 ? 1 : 2 }}>
            {drawn.map((chart) => (
              <Chart key={chart.title} height={HEIGHT} isByDay {...chart} />
            ))}
          </SimpleGrid>
        </Suspense>
      )}
      {short.length === 0 ? null : <OnlyDays charts={short} />}
    </>
  );
}
