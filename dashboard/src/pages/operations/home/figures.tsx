import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
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
import { messages } from "./figure-messages.ts";
import classes from "./figures.module.css";
import { figuresQuery } from "./queries.ts";

/** The results of the last 30 days, the amounts of today and the balances. */
export function HomeFigures() {
  const { data, error, refetch } = useQuery(figuresQuery);
  const figures = useDeferredValue(data);
  if (error && !figures) return <ErrorState error={error} reset={() => void refetch()} />;
  if (!figures) return <Skeleton height={220} radius="lg" />;
  return (
    <>
      <div className={classes.charts}>
        <DayChart chart={successChart(figures)} />
        <DayChart chart={settlementChart(figures)} />
        <DayChart chart={settledChart(figures)} />
      </div>
      <p className={classes.more}>
        <PageLink to="/reports">{messages.reports}</PageLink>
      </p>
      <div className={classes.tables}>
        <CurrenciesToday of={figures} />
        <Balances lanes={figures.lanes} />
      </div>
      <Breaks />
    </>
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
