import { formatAmountsIn } from "../../base/money.ts";
import { LaneName } from "../../components/payout/lane-name.tsx";
import type { ListColumn } from "../../components/list-table/list-column.ts";
import { PageLink } from "../../components/page-link.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { UserText } from "../../components/user-text.tsx";
import type { Answer } from "../../server/client.ts";
import { BreakStateBadge } from "./break-state.tsx";
import { messages } from "./messages.ts";

const texts = messages.columns;

/** A break as lists show it. */
export type ListedBreak = Answer<"GET /api/breaks">["items"][number];

const textOr = (text: string | null) => (text === null ? "–" : <UserText text={text} />);

const amountsOr = (text: string | null) => textOr(text === null ? null : formatAmountsIn(text));

/** The columns of the list of breaks. */
export const BREAK_COLUMNS: readonly ListColumn<ListedBreak>[] = [
  {
    key: "class",
    header: texts.class,
    width: 180,
    isFixed: true,
    names: true,
    cell: (each) => (
      <PageLink to={`/reconciliation/${each.id}`} row>
        {messages.classes[each.class]}
      </PageLink>
    ),
  },
  { key: "code", header: texts.code, width: 210, cell: ({ code }) => textOr(code) },
  {
    key: "ledger",
    header: texts.ledger,
    width: 130,
    cell: ({ ledger_shows }) => amountsOr(ledger_shows),
  },
  {
    key: "statement",
    header: texts.statement,
    width: 130,
    cell: ({ statement_shows }) => amountsOr(statement_shows),
  },
  { key: "day", header: texts.day, width: 120, cell: ({ day }) => day },
  { key: "lane", header: texts.lane, width: 240, cell: ({ lane }) => <LaneName lane={lane} /> },
  {
    key: "state",
    header: texts.state,
    width: 110,
    isFixed: true,
    card: "state",
    cell: ({ state }) => <BreakStateBadge state={state} />,
  },
  {
    key: "assignee",
    header: texts.assignee,
    width: 120,
    cell: ({ assigned_to }) => textOr(assigned_to?.name ?? null),
  },
  {
    key: "found",
    header: texts.found,
    width: 180,
    isHidden: true,
    card: "none",
    cell: ({ found_at }) => <Timestamp at={found_at} relative={false} />,
  },
];
