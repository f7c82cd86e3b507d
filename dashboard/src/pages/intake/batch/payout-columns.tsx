import { Text } from "@mantine/core";
import { PAYOUT_STATES } from "../../../base/state.ts";
import type { ListColumn } from "../../../components/list-table/list-column.ts";
import { FILE_ROW_COLUMNS, type ListedPayout } from "../../../components/payout/payout-table.tsx";
import { PayoutStateBadge } from "../../../components/payout/state-badge.tsx";
import { UserText } from "../../../components/user-text.tsx";
import { PAYOUT_COLUMNS } from "../../payout/columns.tsx";
import { listMessages } from "./list-messages.ts";

const { line, name, account } = FILE_ROW_COLUMNS;

/** The gateway's text of a stored reason, or nothing if it is only a code. */
const detailOf = (reason: string): string => reason.split(": ").slice(1).join(": ");

/** The columns that differ from those of the list of all payouts. */
const OWN: Readonly<Record<string, ListColumn<ListedPayout>>> = {
  // Corrected rows follow the others, so the list cannot be sorted by line.
  line: { ...line, width: 70 },
  name: { ...name, width: 180, isFixed: true },
  state: {
    key: "state",
    header: listMessages.state,
    width: 170,
    isFixed: true,
    card: "state",
    cell: ({ state, batch_state, reason }) => (
      <>
        <PayoutStateBadge state={state} batch_state={batch_state} />
        {reason === null || PAYOUT_STATES[state].tone === "settled" ? null : (
          <Text size="xs" c="dimmed">
            <UserText text={detailOf(reason)} />
          </Text>
        )}
      </>
    ),
  },
  account: { ...account, width: 90 },
};

/** The columns that are shown at first, and those that are hidden. */
const SHOWN = ["line", "name", "account", "amount", "state", "gateway", "changed"];
const HIDDEN = ["code", "reason", "reference", "fee", "sent", "settled"];

/** The columns of the payouts of one batch. */
export const BATCH_PAYOUT_COLUMNS: readonly ListColumn<ListedPayout>[] = [
  ...columnsOf(SHOWN, { isHidden: false }),
  ...columnsOf(HIDDEN, { isHidden: true, isFixed: false }),
  ...columnsOf(["action"], {}),
];

function columnsOf(
  keys: readonly string[],
  more: Partial<ListColumn<ListedPayout>>,
): ListColumn<ListedPayout>[] {
  return keys.flatMap((key) => {
    const column = OWN[key] ?? PAYOUT_COLUMNS.find((each) => each.key === key);
    return column ? [{ ...column, ...more }] : [];
  });
}
