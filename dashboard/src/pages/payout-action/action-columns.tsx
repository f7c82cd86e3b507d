import { PAYOUT_STATES } from "../../base/state.ts";
import { Amount } from "../../components/amount.tsx";
import type { ListColumn } from "../../components/list-table/list-column.ts";
import { codeColumn } from "../../components/payout/payout-table.tsx";
import { PayoutStateBadge } from "../../components/payout/state-badge.tsx";
import { UserText } from "../../components/user-text.tsx";
import type { ActionPayout } from "./action-query.ts";
import { messages } from "./messages.ts";

const texts = messages.columns;

/** The columns of the payouts of a bulk action. */
export const ACTION_COLUMNS: readonly ListColumn<ActionPayout>[] = [
  { ...codeColumn("payouts"), card: "title", width: 175, isFixed: true },
  {
    key: "amount",
    header: texts.amount,
    numeric: true,
    card: "amount",
    width: 150,
    isFixed: true,
    cell: (payout) => <Amount of={payout} />,
  },
  {
    key: "before",
    header: texts.before,
    width: 130,
    isWide: true,
    cell: ({ state_before }) => PAYOUT_STATES[state_before].word,
  },
  {
    key: "state",
    header: texts.stateNow,
    card: "state",
    width: 170,
    isFixed: true,
    cell: ({ state }) => <PayoutStateBadge state={state} />,
  },
  {
    key: "outcome",
    header: texts.outcome,
    width: 260,
    isFixed: true,
    cell: ({ outcome_text }) => outcome_text,
  },
  {
    key: "evidence",
    header: texts.evidence,
    width: 260,
    cell: ({ evidence }) => (evidence === null ? "–" : <UserText text={evidence} />),
  },
  {
    key: "batch",
    header: texts.batch,
    width: 140,
    isHidden: true,
    cell: ({ batch_id }) => batch_id,
  },
  {
    key: "line",
    header: texts.line,
    numeric: true,
    width: 70,
    isHidden: true,
    cell: ({ line }) => line,
  },
];
