import { type Column, DataTable } from "../../../components/data-table.tsx";
import { FIVE_ON_PHONE } from "../../../components/folded-rows.tsx";
import { PageLink } from "../../../components/page-link.tsx";
import { Section } from "../../../components/section.tsx";
import { formatAmount, sameAmount, shareOf } from "../../../base/money.ts";
import { PlainAmount } from "../../../components/amount.tsx";
import classes from "./figures.module.css";
import { messages } from "./figure-messages.ts";
import type { Figures } from "./queries.ts";

const texts = messages.currencies;

type Line = Figures["currencies"][number];

/** The columns, with links to the payouts since the start of today. */
const allColumns = (startOfToday: string): readonly Column<Line>[] => [
  {
    key: "currency",
    header: texts.currency,
    names: true,
    cell: ({ currency }) => (
      <PageLink to={`/payouts?currency=${currency}&settled_from=${startOfToday}`}>
        {currency}
      </PageLink>
    ),
  },
  {
    key: "settled",
    header: texts.amount,
    numeric: true,
    card: "amount",
    cell: ({ currency, settled }) => <PlainAmount of={{ currency, amount: settled }} />,
  },
  {
    key: "payouts",
    header: texts.payouts,
    numeric: true,
    cell: ({ payouts }) => payouts.toLocaleString(),
  },
  {
    key: "declined",
    header: texts.declined,
    numeric: true,
    isBlank: ({ declined }) => declined === 0,
    cell: ({ currency, declined }) =>
      declined === 0 ? (
        <span className={classes.nil}>0</span>
      ) : (
        <PageLink
          to={`/payouts?state=declined&retry_result=none&currency=${currency}&changed_from=${startOfToday}`}
        >
          <span data-tone="declined" className={classes.toned}>
            {declined.toLocaleString()}
          </span>
        </PageLink>
      ),
  },
  { key: "days", header: texts.lastDays, isBlank: () => true, cell: (line) => <Bars of={line} /> },
  {
    key: "usual",
    header: texts.usual,
    numeric: true,
    cell: (line) =>
      hasHistory(line) ? (
        <span className={classes.quiet}>
          <PlainAmount of={{ currency: line.currency, amount: line.usual }} />
        </span>
      ) : (
        "–"
      ),
  },
];

const isNone = ({ returned }: Line): boolean => sameAmount(returned, "0");

/** Shown only on days with returns. */
const returnedColumn = (startOfToday: string): Column<Line> => ({
  key: "returned",
  header: texts.returned,
  numeric: true,
  isBlank: isNone,
  cell: (line) =>
    isNone(line) ? (
      <span className={classes.nil}>0</span>
    ) : (
      <PageLink
        to={`/payouts?state=returned&currency=${line.currency}&changed_from=${startOfToday}`}
      >
        <PlainAmount of={{ currency: line.currency, amount: line.returned }} />
      </PageLink>
    ),
});

/** Whether a payout in the currency settled before today. */
const hasHistory = ({ days }: Line): boolean =>
  days.slice(0, -1).some(({ amount }) => shareOf(amount, [amount]) > 0);

/** Columns that compare today with previous days, of which a new installation has none. */
const COMPARING: ReadonlySet<string> = new Set(["days", "usual"]);

const columnsFor = (lines: readonly Line[], startOfToday: string): readonly Column<Line>[] => {
  const columns = allColumns(startOfToday);
  const all = lines.every(isNone)
    ? columns
    : columns.toSpliced(-2, 0, returnedColumn(startOfToday));
  return lines.some(hasHistory) ? all : all.filter(({ key }) => !COMPARING.has(key));
};

/** The amounts settled today in each currency, compared with the previous days. */
export const CurrenciesToday = ({
  of: { currencies: of, zone, today_from: start },
}: {
  readonly of: Figures;
}) => (
  <Section title={texts.title} caption={of.some(hasHistory) ? texts.caption(zone) : zone} isFlush>
    {of.length === 0 ? (
      <p className={classes.empty}>{texts.empty}</p>
    ) : (
      <DataTable
        caption={texts.title}
        hideCaption
        columns={columnsFor(of, start)}
        rows={of}
        rowKey={({ currency }) => currency}
        fold={FIVE_ON_PHONE}
      />
    )}
  </Section>
);

/** The amounts of the last days as bars; the last one is today. */
function Bars({ of: { currency, days } }: { readonly of: Line }) {
  const amounts = days.map(({ amount }) => amount);
  const text = `${texts.barsOf(currency)}: ${amounts.map((amount) => formatAmount(amount, currency)).join(", ")}`;
  return (
    <span className={classes.bars} role="img" aria-label={text} title={text}>
      {days.map(({ day, amount }) => (
        <i key={day} style={{ height: `${shareOf(amount, amounts)}%` }} />
      ))}
    </span>
  );
}
