import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { useDeferredValue } from "react";
import { ErrorState } from "../../../components/error-state.tsx";
import { PageLink } from "../../../components/page-link.tsx";
import { Section } from "../../../components/section.tsx";
import { BreakAges } from "../../reports/break-ages.tsx";
import { breaksQuery } from "../../reports/queries.ts";
import { Balances } from "./balances.tsx";
import { CurrenciesToday } from "./currencies-today.tsx";
import { DayChart } from "./day-chart.tsx";
import { settledChart, settlementChart, successChart } from "./day-charts.ts";
import { messages as common } from "../../../base/messages.ts";
import { messages } from "./figure-messages.ts";
import classes from "./figures.module.css";
import { type Figures, figuresQuery } from "./queries.ts";
import { PERIODS, periodOf } from "./search-params.ts";

/** The results of a period, the amounts of today and the balances. */
export function HomeFigures() {
  const { data, error, refetch } = useQuery(figuresQuery);
  const figures = useDeferredValue(data);
  if (error && !figures) return <ErrorState error={error} reset={() => void refetch()} />;
  if (!figures) return <Skeleton height={220} radius="lg" />;
  return (
    <>
      <Results of={figures} />
      <div className={classes.tables}>
        <CurrenciesToday of={figures} />
        <Balances lanes={figures.lanes} />
      </div>
      <Breaks />
    </>
  );
}

/** The results of one period, with links to the other periods and to the reports. */
function Results({ of: figures }: { readonly of: Figures }) {
  const period = periodOf(useSearch({ strict: false }));
  return (
    <div className={classes.results}>
      <div className={classes.head}>
        <nav aria-label={messages.period.label} className={classes.periods}>
          {PERIODS.map((days) => (
            <Link
              key={days}
              to="/"
              search={days === 1 ? {} : { days: String(days) }}
              replace
              resetScroll={false}
              activeOptions={{ exact: true }}
            >
              {days === 1 ? messages.today : messages.days(days)}
            </Link>
          ))}
        </nav>
        <PageLink to="/reports">{messages.reports}</PageLink>
      </div>
      <div className={classes.charts}>
        <DayChart chart={successChart(figures, period)} />
        <DayChart chart={settlementChart(figures, period)} />
        <DayChart chart={settledChart(figures, period)} />
      </div>
      <p className={classes.counts}>{common.successRate}</p>
    </div>
  );
}

/** The unresolved breaks. Without breaks, Home does not show the section. */
function Breaks() {
  const { data } = useQuery(breaksQuery({}));
  return data === undefined || data.count === 0 ? null : (
    <Section title={messages.breaks}>
      <BreakAges of={data} />
    </Section>
  );
}
