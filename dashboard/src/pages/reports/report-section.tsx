import { SimpleGrid, Skeleton, Text } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { type ComponentProps, lazy, type ReactNode, Suspense } from "react";
import { dateText } from "../../base/dates.ts";
import { ErrorState } from "../../components/error-state.tsx";
import { ExportMenu } from "../../components/export-menu.tsx";
import { FactList } from "../../components/fact-list.tsx";
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

/** The values of the only day that has any, because a chart would be one bar or one point. */
const OnlyDay = ({ chart, at }: { readonly chart: ChartFacts; readonly at: number }) => (
  <figure className={classes.onlyDay}>
    <figcaption>{chart.title}</figcaption>
    <Text size="sm" c="dimmed">
      {messages.onlyDay(dateText(dayAt(chart.times[at] ?? 0)))}
    </Text>
    <FactList
      facts={chart.series.flatMap(({ label, texts, values }) => {
        const text = texts ? texts[at] : values[at]?.toLocaleString();
        return text ? [[label, text] as const] : [];
      })}
    />
  </figure>
);

/** The charts of the currencies, next to each other if there is room. */
export const Charts = ({
  charts,
  none,
}: {
  readonly charts: readonly ChartFacts[];
  /** Shown without charts. */
  readonly none: string;
}) =>
  charts.length === 0 ? (
    <Text size="sm">{none}</Text>
  ) : (
    <Suspense fallback={LOADING}>
      <SimpleGrid cols={{ base: 1, md: charts.length === 1 ? 1 : 2 }}>
        {charts.map((chart) => {
          const days = knownDays(chart);
          const [only] = days;
          return days.length === 1 && only !== undefined ? (
            <OnlyDay key={chart.title} chart={chart} at={only} />
          ) : (
            <Chart key={chart.title} height={HEIGHT} isByDay {...chart} />
          );
        })}
      </SimpleGrid>
    </Suspense>
  );
