import { type Column, DataTable } from "../../components/data-table.tsx";
import { FIVE_ON_PHONE } from "../../components/folded-rows.tsx";
import { PageLink } from "../../components/page-link.tsx";
import classes from "./break-ages.module.css";
import { messages as breakMessages } from "../reconciliation/messages.ts";
import { messages } from "./messages.ts";
import type { Breaks } from "./queries.ts";

const texts = messages.breaks;

type Line = Breaks["items"][number];

const AGES = [
  { key: "within_1_day", header: texts.within1Day },
  { key: "within_7_days", header: texts.within7Days },
  { key: "within_30_days", header: texts.within30Days },
  { key: "older", header: texts.older },
] as const;

/** Unresolved breaks by class and age, as bars and figures. */
export function BreakAges({ of: { items } }: { readonly of: Pick<Breaks, "items"> }) {
  const most = Math.max(1, ...items.map(({ count }) => count));
  return (
    <DataTable
      caption={texts.title}
      hideCaption
      columns={columnsOf(most)}
      rows={items}
      rowKey={(line) => line.class}
      fold={FIVE_ON_PHONE}
    />
  );
}

const columnsOf = (most: number): readonly Column<Line>[] => [
  {
    key: "class",
    header: texts.class,
    names: true,
    cell: (line) => (
      <PageLink to={`/reconciliation?class=${line.class}`}>
        {breakMessages.classes[line.class]}
      </PageLink>
    ),
  },
  { key: "ages", header: texts.ages, card: "none", cell: (line) => <Bar of={line} most={most} /> },
  ...AGES.map(({ key, header }) => ({
    key,
    header,
    numeric: true,
    isBlank: (line: Line) => line[key] === 0,
    cell: (line: Line) => line[key].toLocaleString(),
  })),
  {
    key: "count",
    header: texts.count,
    numeric: true,
    cell: ({ count }) => count.toLocaleString(),
  },
];

/** The breaks of a class as one bar, with a part for each age. */
function Bar({ of: line, most }: { readonly of: Line; readonly most: number }) {
  const parts = AGES.map(({ key, header }) => `${header}: ${line[key].toLocaleString()}`);
  return (
    <span className={classes.bar} role="img" aria-label={texts.agesOf(parts)}>
      {AGES.map(({ key }) => (
        <i key={key} style={{ width: `${(line[key] / most) * 100}%` }} />
      ))}
    </span>
  );
}
