import { Text } from "@mantine/core";
import { dateText } from "../../base/dates.ts";
import { formatAmountsIn } from "../../base/money.ts";
import { Amount } from "../../components/amount.tsx";
import { LaneName } from "../../components/payout/lane-name.tsx";
import type { ListColumn } from "../../components/list-table/list-column.ts";
import { PageLink } from "../../components/page-link.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { UserText } from "../../components/user-text.tsx";
import { differenceOf, type ListedBreak, sidesOf, type ShownSide } from "./break-amounts.ts";
import { BreakStateBadge } from "./break-state.tsx";
import { messages } from "./messages.ts";

const texts = messages.columns;

const textOr = (text: string | null) => (text === null ? "–" : <UserText text={text} />);

/** The amount of one side, with its result and gateway number below. */
function sideText(side: ShownSide | null) {
  if (side === null) return "–";
  const { money, rest } = side;
  if (!money) return <UserText text={formatAmountsIn(rest)} />;
  return (
    <>
      <Amount of={money} />
      {rest === "" ? null : (
        <Text size="xs" c="dimmed">
          {rest}
        </Text>
      )}
    </>
  );
}

/** Shows the difference of a break with its sign. */
export function showDifference(of: Pick<ListedBreak, "difference">) {
  const difference = differenceOf(of);
  return typeof difference === "string" ? difference : <Amount of={difference} isSigned />;
}

/** The columns of the list of breaks. */
export const BREAK_COLUMNS: readonly ListColumn<ListedBreak>[] = [
  {
    key: "class",
    header: texts.class,
    width: 165,
    isFixed: true,
    names: true,
    cell: (each) => (
      <>
        <PageLink to={`/reconciliation/${each.id}`} row>
          {messages.classes[each.class]}
        </PageLink>
        {each.beneficiary === null ? null : (
          <Text size="xs" c="dimmed">
            <UserText text={each.beneficiary} />
          </Text>
        )}
      </>
    ),
  },
  {
    key: "code",
    header: texts.code,
    width: 180,
    cell: ({ code }) => code ?? "–",
  },
  {
    key: "ledger",
    header: texts.ledger,
    width: 175,
    numeric: true,
    cell: (each) => sideText(sidesOf(each).ledger),
  },
  {
    key: "statement",
    header: texts.statement,
    width: 175,
    numeric: true,
    cell: (each) => sideText(sidesOf(each).statement),
  },
  {
    key: "difference",
    header: texts.difference,
    width: 120,
    numeric: true,
    card: "amount",
    cell: showDifference,
  },
  { key: "day", header: texts.day, width: 95, cell: ({ day }) => dateText(day) },
  { key: "lane", header: texts.lane, width: 150, cell: ({ lane }) => <LaneName lane={lane} /> },
  {
    key: "state",
    header: texts.state,
    width: 90,
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
