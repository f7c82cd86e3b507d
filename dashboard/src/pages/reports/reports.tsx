import { useQuery } from "@tanstack/react-query";
import { dateText } from "../../base/dates.ts";
import { getRouteApi } from "@tanstack/react-router";
import { type ComponentProps, useMemo } from "react";
import { Page } from "../../components/page.tsx";
import { BreakAges } from "./break-ages.tsx";
import { amountCharts, feeCharts, successCharts, timeCharts } from "./daily-charts.ts";
import classes from "./reports.module.css";
import { ReportFilters } from "./filters.tsx";
import { messages } from "./messages.ts";
import {
  breaksQuery,
  type Fees,
  feesQuery,
  type Results,
  resultsQuery,
  type Times,
  timesQuery,
} from "./queries.ts";
import { CHART_DAYS, Charts, ReportSection } from "./report-section.tsx";
import { Summary } from "./summary.tsx";
import { payoutsQuery, reportQuery } from "./search-params.ts";

const route = getRouteApi("/dashboard/reports");

/** Results, fees, times and breaks of a period, each with its download. */
export function ReportsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const results = useQuery(resultsQuery(search));
  const fees = useQuery(feesQuery(search));
  const times = useQuery(timesQuery(search));
  const breaks = useQuery(breaksQuery(search));
  const frame = results.data;
  const query = reportQuery(search);
  const days = new Set(results.data?.items.map(({ day }) => day));
  const hasCharts = days.size >= CHART_DAYS;
  return (
    <Page
      title={messages.title}
      facts={frame ? messages.facts(dateText(frame.from), dateText(frame.to), frame.zone) : null}
    >
      <div className={classes.filters}>
        <ReportFilters
          search={search}
          frame={frame}
          onSearch={(next) => void navigate({ to: "/reports", search: next })}
        />
      </div>
      <Summary
        results={results}
        fees={fees}
        times={times}
        query={query}
        lane={search.lane}
        hasCharts={hasCharts}
      />
      {hasCharts ? <DailyCharts results={results} fees={fees} times={times} query={query} /> : null}
      {breaks.data?.items.length === 0 ? null : (
        <ReportSection
          texts={messages.breaks}
          report="breaks"
          query={payoutsQuery(search)}
          found={breaks}
        >
          {(report) => <BreakAges of={report} />}
        </ReportSection>
      )}
    </Page>
  );
}

/** The charts by day. A phone folds all but the first. */
const DailyCharts = ({
  results,
  fees,
  times,
  query,
}: Pick<ComponentProps<typeof Summary>, "results" | "fees" | "times" | "query">) => (
  <>
    <ReportSection texts={messages.amounts} report="results" query={query} found={results}>
      {(report) => <Amounts report={report} />}
    </ReportSection>
    <ReportSection
      texts={messages.success}
      report="results"
      query={query}
      found={results}
      foldsOnPhone
    >
      {(report) => <SuccessRates report={report} />}
    </ReportSection>
    <ReportSection texts={messages.fees} report="fees" query={query} found={fees} foldsOnPhone>
      {(report) => <FeeCharts report={report} />}
    </ReportSection>
    <ReportSection texts={messages.times} report="times" query={query} found={times} foldsOnPhone>
      {(report) => <TimeCharts report={report} />}
    </ReportSection>
  </>
);

// A chart is drawn again whenever its properties change, so they are computed once per answer.

function Amounts({ report }: { readonly report: Results }) {
  const charts = useMemo(() => amountCharts(report), [report]);
  return <Charts charts={charts} none={messages.noPayouts} />;
}

function SuccessRates({ report }: { readonly report: Results }) {
  const charts = useMemo(() => successCharts(report), [report]);
  return <Charts charts={charts} none={messages.noPayouts} />;
}

function FeeCharts({ report }: { readonly report: Fees }) {
  const charts = useMemo(() => feeCharts(report), [report]);
  return <Charts charts={charts} none={messages.noneSettled} />;
}

function TimeCharts({ report }: { readonly report: Times }) {
  const charts = useMemo(() => timeCharts(report), [report]);
  return <Charts charts={charts} none={messages.noneSettled} />;
}
