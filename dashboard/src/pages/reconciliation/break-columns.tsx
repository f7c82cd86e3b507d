import { Text } from "@mantine/core";
import { dateText } from "../../base/dates.ts";
import { formatAmountsIn, formatMoney, type Money } from "../../base/money.ts";
import { LaneName } from "../../components/payout/lane-name.tsx";
import type { ListColumn } from "../../components/list-table/list-column.ts";
import { PageLink } from "../../components/page-link.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { UserText } from "../../components/user-text.tsx";
import { differenceOf, type ListedBreak, sideOf } from "./break-amounts.ts";
import { BreakStateBadge } from "./break-state.tsx";
import { messages } from "./messages.ts";

const texts = messages.columns;

const textOr = (text: string | null) => (text === null ? "–" : <UserText text={text} />);

/** The amount of one side, with its result and gateway number below. */
function sideText(text: string | null) {
  if (text === null) return "–";
  const { money, rest } = sideOf(text);
  if (!money) return <UserText text={formatAmountsIn(text)} />;
  return (
    <>
      <span>{formatMoney(money)}</span>
      {rest === "" ? null : (
        <Text size="xs" c="dimmed">
          {rest}
        </Text>
      )}
    </>
  );
}

/** "+INR 100.00" or "−INR 100.00". */
export const signedText = ({ currency, amount }: Money): string =>
  amount.startsWith("-")
    ? `−${formatMoney({ currency, amount: amount.slice(1) })}`
    : `+${formatMoney({ currency, amount })}`;

/** The columns of the list of breaks. */
export const BREAK_COLUMNS: readonly ListColumn<ListedBreak>[] = [
  {
    key: "class",
    header: texts.class,
    width: 160,
    isFixed: true,
    names: true,
    cell: (each) => (
      <>
        <PageLink to={`/reconciliation/${each.id}`} row>
          {messages.classes[each.class]}
        </PageLink>
        {each.code === null ? null : (
          <Text size="xs" c="dimmed">
            {each.code}
          </Text>
        )}
      </>
    ),
  },
  {
    key: "ledger",
    header: texts.ledger,
    width: 170,
    numeric: true,
    cell: ({ ledger_shows }) => sideText(ledger_shows),
  },
  {
    key: "statement",
    header: texts.statement,
    width: 170,
    numeric: true,
    cell: ({ statement_shows }) => sideText(statement_shows),
  },
  {
    key: "difference",
    header: texts.difference,
    width: 130,
    numeric: true,
    card: "amount",
    cell: (each) => {
      const difference = differenceOf(each);
      return difference ? signedText(difference) : "–";
    },
  },
  { key: "day", header: texts.day, width: 100, cell: ({ day }) => dateText(day) },
  { key: "lane", header: texts.lane, width: 150, cell: ({ lane }) => <LaneName lane={lane} /> },
  {
    key: "state",
    header: texts.state,
    width: 100,
    isFixed: true,
    card: "state",
    cell: ({ state }) => <BreakStateBadge state={state} />,
  },
  {
    key: "assignee",
    header: texts.assignee,
    width: 110,
    cell: ({ assigned_to }) => textOr(assigned_to?.name ?? null),
  },
  {
    key: "found",
    header: texts.found,
    width: 130,
    isHidden: true,
    card: "none",
    cell: ({ found_at }) => <Timestamp at={found_at} />,
  },
];
