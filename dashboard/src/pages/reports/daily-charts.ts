import type { ComponentProps } from "react";
import { formatAmount, sameAmount } from "../../base/money.ts";
import type { Chart } from "../../components/chart/chart.tsx";
import { chartDays, onDays, timesOf } from "./day-series.ts";
import { messages } from "./messages.ts";
import type { Fees, Results, Times } from "./queries.ts";
import { AMOUNTS, boundOf, boundText, PERCENT, SECONDS } from "./units.ts";

type ChartFacts = ComponentProps<typeof Chart> & { readonly currency: string };

/** A number for drawing only. Null, so that no bar is drawn, for zero. */
const heightOf = (amount: string | undefined): number | null =>
  amount === undefined || sameAmount(amount, "0") ? null : Number(amount);

/** The settled and the returned amount of each currency by day. */
export function amountCharts(report: Results): ChartFacts[] {
  const texts = messages.amounts;
  return report.period.map(({ currency, settled_amount, returned_amount }) => {
    const { days, since } = chartDays(report, currency);
    const found = onDays(report.items, currency, days);
    const money = (amount: string) => formatAmount(amount, currency);
    return {
      currency,
      title: texts.of(currency, money(settled_amount), money(returned_amount)),
      times: timesOf(days),
      since,
      unit: AMOUNTS,
      series: [
        {
          label: texts.settled,
          colour: "--settled-fill",
          mark: "bars",
          values: found.map((item) => heightOf(item?.settled_amount)),
          texts: found.map((item) => item && money(item.settled_amount)),
        },
        {
          label: texts.returned,
          colour: "--returned-fill",
          mark: "bars",
          values: found.map((item) => heightOf(item?.returned_amount)),
          texts: found.map((item) => item && money(item.returned_amount)),
        },
      ],
    };
  });
}

/** The success rate of each currency by day. */
export function successCharts(report: Results): ChartFacts[] {
  const texts = messages.success;
  const known = report.period.flatMap(({ success_percent: percent, ...rest }) =>
    percent === null ? [] : [{ ...rest, percent }],
  );
  return known.map(({ currency, percent, settled, declined }) => {
    const { days, since } = chartDays(report, currency);
    const found = onDays(report.items, currency, days);
    const rates = found.map((item) => item?.success_percent ?? null);
    return {
      currency,
      title: texts.of(currency, texts.percent(percent), settled, declined),
      times: timesOf(days),
      since,
      unit: PERCENT,
      series: [
        {
          label: texts.rate,
          colour: "--settled-fill",
          values: rates.map((rate) => (rate === null ? null : Number(rate))),
          texts: rates.map((rate) => (rate === null ? null : texts.percent(rate))),
        },
      ],
    };
  });
}

/** The fees of each currency by day. */
export function feeCharts(report: Fees): ChartFacts[] {
  const texts = messages.fees;
  return report.period.map(({ currency, amount, without_fee: without }) => {
    const { days, since } = chartDays(report, currency);
    const found = onDays(report.items, currency, days);
    const title = texts.of(currency, formatAmount(amount, currency));
    return {
      currency,
      title: without === 0 ? title : texts.without(title, without),
      times: timesOf(days),
      since,
      unit: AMOUNTS,
      series: [
        {
          label: texts.fees,
          colour: "--progress-fill",
          mark: "bars",
          values: found.map((item) => heightOf(item?.amount)),
          texts: found.map((item) => item && formatAmount(item.amount, currency)),
        },
      ],
    };
  });
}

/** The times from approval to settlement of each currency by day. */
export function timeCharts(report: Times): ChartFacts[] {
  const texts = messages.times;
  return report.period.map(({ currency, median_seconds: median, p95_seconds: within }) => {
    const { days, since } = chartDays(report, currency);
    const found = onDays(report.items, currency, days);
    const series = (label: string, colour: string, seconds: readonly (number | null)[]) => ({
      label,
      colour,
      values: seconds.map(boundOf),
      texts: seconds.map(boundText),
    });
    const medians = found.map((item) => item?.median_seconds ?? null);
    const longest = found.map((item) => item?.p95_seconds ?? null);
    return {
      currency,
      title: texts.of(currency, boundText(median) ?? "–", boundText(within) ?? "–"),
      times: timesOf(days),
      since,
      unit: SECONDS,
      series: [
        series(texts.median, "--accent", medians),
        series(texts.within, "--hold-fill", longest),
      ],
    };
  });
}
