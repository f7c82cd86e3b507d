import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Amount, PlainAmount } from "../../components/amount.tsx";
import { isolateDirection } from "../../base/text.ts";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { PageLink } from "../../components/page-link.tsx";
import { UserText } from "../../components/user-text.tsx";
import type { DayView } from "./day-query.ts";
import { messages } from "./messages.tsx";

const texts = messages.day;

interface Figure {
  readonly name: string;
  readonly sign: string;
  /** Null: it is a number only. */
  readonly amount: string | null;
  readonly note?: ReactNode;
  /** A balance, as opposed to a movement or a number. */
  readonly isBalance?: boolean;
  /** Number of records behind it. */
  readonly count?: number;
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
 * Returns the addresses of the lists behind the figures. Null: a payout that settled around
 * midnight may count on the day before or after, and no list contains exactly the counted payouts.
 */
function listsOf(view: DayView) {
  const { lane, day, starts_at: from, ends_at: to } = view;
  const isExact = view.counted_elsewhere + view.settled_elsewhere === 0;
  const settled = new URLSearchParams({ lane, settled_from: from, settled_to: to });
  const breaks = new URLSearchParams({ lane, day });
  return {
    payouts: isExact ? `/payouts?${settled.toString()}` : null,
    breaks: `/reconciliation?${breaks.toString()}`,
  };
}

type Movements = NonNullable<DayView["figures"]>["movements"];

/** Separates the movements from those without a record, which share one line. */
function separated(movements: Movements): {
  readonly moved: Movements;
  readonly none: readonly Figure[];
} {
  const isNone = ({ name, amount, count }: Movements[number]): boolean =>
    name !== "payouts" && count === 0 && !/[1-9]/.test(amount);
  const none = movements.filter(isNone);
  const [first] = none;
  const name = sentenceList(none.map((each) => texts.movements[each.name]));
  return {
    moved: movements.filter((each) => !isNone(each)),
    none: first ? [{ name, sign: "±", amount: first.amount }] : [],
  };
}

/** "Returns, manual resolutions, adjustments" */
const sentenceList = (names: readonly string[]): string =>
  names.map((name, at) => (at === 0 ? name : name.toLowerCase())).join(", ");

/**
 * The confirmed adjustments of a day with their reasons, also on paper. An older version may have
 * fewer, which its document lists.
 */
function Explanations({ of, count }: { readonly of: DayView; readonly count: number }) {
  const confirmed = of.proposals.filter(
    ({ kind, decided_by: decider }) => kind === "adjustment" && decider,
  );
  if (confirmed.length !== count) return null;
  return confirmed.map(({ id, amount, reason, by, by_two: byTwo, decided_by: decider }) => (
    <div key={id}>
      {amount === null ? null : (
        <>
          <Amount of={{ currency: of.currency, amount }} />:{" "}
        </>
      )}
      <UserText text={reason} /> (
      {byTwo
        ? messages.actions.agreedBy(by.name, decider?.name ?? "")
        : messages.actions.agreedAlone(by.name)}
      )
    </div>
  ));
}

function figuresOf(day: DayView, figures: NonNullable<DayView["figures"]>): Figure[] {
  const lists = listsOf(day);
  const { observed, observed_statement: statement } = figures;
  const elsewhere = texts.countedElsewhere(day.counted_elsewhere, day.settled_elsewhere);
  const number = (name: string, count: number, to?: string): Figure[] =>
    count === 0 ? [] : [{ name, sign: "", amount: null, count, ...(to && { to }) }];
  const { moved, none } = separated(figures.movements);
  return [
    { name: texts.openingBalance, sign: "", amount: figures.opening, isBalance: true },
    ...moved.map(({ name, amount, count }) => ({
      name: texts.movements[name],
      sign: SIGNS[name],
      amount,
      count,
      ...((name === "payouts" || name === "fees") &&
        count > 0 &&
        lists.payouts !== null && { to: lists.payouts }),
      ...(name === "payouts" && elsewhere !== "" && { note: elsewhere }),
      ...(name === "adjustments" && { note: <Explanations of={day} count={count} /> }),
    })),
    ...none,
    { name: texts.closing, sign: "=", amount: figures.closing, isBalance: true },
    {
      name: texts.observed,
      sign: "",
      amount: observed ?? texts.notObserved,
      ...(statement !== null && {
        note: texts.observedFrom(
          statement === day.statement && day.statement_file !== null
            ? isolateDirection(day.statement_file)
            : statement,
        ),
      }),
    },
    ...(figures.difference === null
      ? []
      : [{ name: texts.difference, sign: "", amount: figures.difference, isBalance: true }]),
    // The steps of an open day have its breaks.
    ...(day.version === null ? [] : number(texts.openBreaks, figures.open_breaks, lists.breaks)),
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
    cell: ({ name, sign, to, note, count, isBalance }): ReactNode => (
      <>
        {sign === "" ? null : `${sign} `}
        {to !== undefined ? (
          <PageLink to={to}>{name}</PageLink>
        ) : isBalance ? (
          <strong>{name}</strong>
        ) : (
          name
        )}
        {count === undefined || count === 0 ? null : (
          <Text size="xs" c="dimmed" span>
            {" "}
            {count.toLocaleString()}
          </Text>
        )}
        {note === undefined ? null : (
          <Text component="div" size="xs" c="dimmed">
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
      const text = amount === null ? "–" : <PlainAmount of={{ currency, amount }} />;
      return isBalance ? <strong>{text}</strong> : text;
    },
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
