import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { formatAmount } from "../../base/money.ts";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { PageLink } from "../../components/page-link.tsx";
import type { DayView } from "./day-query.ts";
import { messages } from "./messages.tsx";

const texts = messages.day;

interface Figure {
  readonly name: string;
  readonly sign: string;
  /** Null: it is a number only. */
  readonly amount: string | null;
  readonly note?: string;
  /** A balance, as opposed to a movement or a number. */
  readonly isBalance?: boolean;
  readonly count: number | null;
  /** The list behind the figure. */
  readonly to?: string;
}

const SIGNS = {
  deposits: "+",
  payouts: "−",
  fees: "−",
  returns: "+",
  resolutions: "±",
  adjustments: "±",
} as const;

/**
 * Returns the addresses of the lists behind the figures. A payout that settled around midnight may
 * count on the day before or after, but the list has it on the day of its settlement.
 */
function listsOf({ lane, day, starts_at: from, ends_at: to }: DayView) {
  const settled = new URLSearchParams({ lane, settled_from: from, settled_to: to });
  const breaks = new URLSearchParams({ lane, day });
  return {
    payouts: `/payouts?${settled.toString()}`,
    breaks: `/reconciliation?${breaks.toString()}`,
  };
}

function figuresOf(day: DayView, figures: NonNullable<DayView["figures"]>): Figure[] {
  const lists = listsOf(day);
  const { observed, observed_statement: statement } = figures;
  const elsewhere = texts.countedElsewhere(day.counted_elsewhere, day.settled_elsewhere);
  const number = (name: string, count: number, to?: string): Figure[] =>
    count === 0 ? [] : [{ name, sign: "", amount: null, count, ...(to && { to }) }];
  return [
    { name: texts.openingBalance, sign: "", amount: figures.opening, count: null, isBalance: true },
    ...figures.movements.map(({ name, amount, count }) => ({
      name: texts.movements[name],
      sign: SIGNS[name],
      amount,
      count,
      ...((name === "payouts" || name === "fees") && count > 0 && { to: lists.payouts }),
      ...(name === "payouts" && elsewhere !== "" && { note: elsewhere }),
    })),
    { name: texts.closing, sign: "=", amount: figures.closing, count: null, isBalance: true },
    {
      name: texts.observed,
      sign: "",
      amount: observed ?? texts.notObserved,
      count: null,
      ...(statement !== null && { note: texts.observedFrom(statement) }),
    },
    ...(figures.difference === null
      ? []
      : [{ name: texts.difference, sign: "", amount: figures.difference, count: null }]),
    ...number(texts.openBreaks, figures.open_breaks, lists.breaks),
    ...number(texts.openPayouts, figures.open_payouts),
    ...number(texts.withoutFee, figures.payouts_without_fee),
    ...number(
      texts.returnedSince,
      figures.payouts_returned_since,
      `${lists.payouts}&state=returned`,
    ),
  ];
}

const columnsFor = (currency: string): readonly Column<Figure>[] => [
  {
    key: "name",
    header: texts.figure,
    names: true,
    cell: ({ name, sign, to, note, isBalance }): ReactNode => (
      <>
        {sign === "" ? null : `${sign} `}
        {to !== undefined ? (
          <PageLink to={to}>{name}</PageLink>
        ) : isBalance ? (
          <strong>{name}</strong>
        ) : (
          name
        )}
        {note === undefined ? null : (
          <Text size="xs" c="dimmed">
            {note}
          </Text>
        )}
      </>
    ),
  },
  {
    key: "amount",
    header: `${texts.amount} (${currency})`,
    numeric: true,
    card: "amount",
    cell: ({ amount, isBalance }) => {
      const text = amount === null ? "–" : formatAmount(amount, currency);
      return isBalance ? <strong>{text}</strong> : text;
    },
  },
  {
    key: "count",
    header: texts.count,
    numeric: true,
    isBlank: ({ count }) => count === 0,
    cell: ({ count }) => (count === null ? "–" : count.toLocaleString()),
  },
];

/** The equation of a day: each figure with a link to the records behind it. */
export function DayFigures({ of }: { readonly of: DayView }) {
  if (!of.figures) return <Text size="sm">{texts.noFigures}</Text>;
  return (
    <DataTable
      caption={texts.figures}
      hideCaption
      columns={columnsFor(of.currency)}
      rows={figuresOf(of, of.figures)}
      rowKey={({ name }) => name}
    />
  );
}
