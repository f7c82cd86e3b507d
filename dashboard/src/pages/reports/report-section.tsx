import { SimpleGrid, Skeleton, Text } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { type ComponentProps, lazy, type ReactNode, Suspense } from "react";
import { ErrorState } from "../../components/error-state.tsx";
import { ExportMenu } from "../../components/export-menu.tsx";
import { Section } from "../../components/section.tsx";
import { messages } from "./messages.ts";
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
  foldsOnPhone = false,
  children,
}: {
  readonly texts: { readonly title: string; readonly caption: string };
  /** The name of the report in addresses. */
  readonly report: string;
  readonly query: FileQuery;
  readonly found: Pick<UseQueryResult<Report>, "data" | "error" | "refetch">;
  /** Charts after the first one would make the page long. */
  readonly foldsOnPhone?: boolean;
  readonly children: (report: Report) => ReactNode;
}) {
  const { data, error, refetch } = found;
  return (
    <Section
      title={title}
      foldsOnPhone={foldsOnPhone}
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

/** A chart of fewer days would be a few points, which the summary says better. */
export const CHART_DAYS = 3;

/** The number of days for which a chart has values. */
const knownDays = ({ times, series }: ChartFacts): number =>
  [...times.keys()].filter((at) => series.some(({ values }) => (values[at] ?? null) !== null))
    .length;

/** The charts of the currencies, next to each other if there is room. */
export function Charts({
  charts,
  none,
}: {
  readonly charts: readonly (ChartFacts & { readonly currency: string })[];
  /** Shown without charts. */
  readonly none: string;
}) {
  if (charts.length === 0) return <Text size="sm">{none}</Text>;
  const drawn = charts.filter((chart) => knownDays(chart) >= CHART_DAYS);
  const others = charts.filter((chart) => !drawn.includes(chart));
  return (
    <>
      {drawn.length === 0 ? null : (
        <Suspense fallback={LOADING}>
          <SimpleGrid cols={{ base: 1, md: drawn.length === 1 ? 1 : 2 }}>
            {drawn.map(({ currency, ...chart }) => (
              <Chart key={currency} height={HEIGHT} isByDay {...chart} />
            ))}
          </SimpleGrid>
        </Suspense>
      )}
      {others.length === 0 ? null : (
        <Text size="xs" c="dimmed">
          {messages.fewDays(others.map(({ currency }) => currency))}
        </Text>
      )}
    </>
  );
}
