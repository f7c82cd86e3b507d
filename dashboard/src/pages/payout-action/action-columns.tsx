import type { ListColumn } from "../../components/list-table/list-column.ts";
import { LISTED_COLUMNS } from "../../components/payout/payout-table.tsx";
import { UserText } from "../../components/user-text.tsx";
import type { ActionPayout } from "./action-query.ts";
import { messages } from "./messages.ts";

const { amount, code, state, beneficiary } = LISTED_COLUMNS;

/** The columns of the payouts of a bulk action. */
export const ACTION_COLUMNS: readonly ListColumn<ActionPayout>[] = [
  { ...beneficiary, width: 180, isFixed: true },
  { ...amount, width: 160, isFixed: true },
  {
    key: "outcome",
    header: messages.page.outcome,
    width: 300,
    isFixed: true,
    cell: ({ outcome_text }) => <UserText text={outcome_text} />,
  },
  { ...state, header: messages.page.stateNow, width: 160, isFixed: true },
  { ...code, width: 175, isFixed: true },
];
