import type { ListColumn } from "../../../components/list-table/list-column.ts";
import { FILE_ROW_COLUMNS, type ListedPayout } from "../../../components/payout/payout-table.tsx";
import { PAYOUT_COLUMNS } from "../../payout/columns.tsx";

/** The columns that the list of all payouts does not have. */
const OWN: Readonly<Record<string, ListColumn<ListedPayout>>> = {
  // Corrected rows follow the others, so the list cannot be sorted by line.
  line: { ...FILE_ROW_COLUMNS.line, width: 60 },
};

/** The columns that are shown at first, and those that are hidden. */
const SHOWN = ["line", "beneficiary", "amount", "state", "gateway", "changed"];
const HIDDEN = ["account", "code", "reason", "reference", "fee", "sent", "settled"];

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
