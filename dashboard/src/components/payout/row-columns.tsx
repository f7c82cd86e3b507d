import { Amount } from "../amount.tsx";
import type { Column } from "../data-table.tsx";
import { detailMessages } from "../detail-messages.tsx";
import { UserText } from "../user-text.tsx";

const texts = detailMessages.payouts;

/** A payout as a row of its file. */
interface FileRow {
  readonly line: number;
  readonly code: string;
  readonly beneficiary: string | null;
  readonly currency: string;
  readonly amount: string;
}

/** The columns that identify a row of a file: its line, beneficiary and amount. */
export const ROW_COLUMNS: readonly Column<FileRow>[] = [
  { key: "line", header: texts.line, numeric: true, cell: ({ line }) => line },
  {
    key: "beneficiary",
    header: texts.beneficiary,
    names: true,
    cell: ({ beneficiary, code }) => <UserText text={beneficiary ?? code} />,
  },
  {
    key: "amount",
    header: texts.amount,
    numeric: true,
    card: "amount",
    cell: (row) => <Amount of={row} />,
  },
];
