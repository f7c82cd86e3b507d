import { Text } from "@mantine/core";
import { Amount } from "../../components/amount.tsx";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { UserText } from "../../components/user-text.tsx";
import { PageLink } from "../../components/page-link.tsx";
import { formatMoney, type Money } from "../../base/money.ts";
import { messages } from "./messages.tsx";
import classes from "./approval-sheet.module.css";

const texts = messages.rows;

interface FindingRow {
  readonly code: string;
  readonly line: number;
  readonly beneficiary: string;
  readonly account_last4: string | null;
  readonly currency: string;
  readonly amount: string;
}

/** A collapsed list of the rows that one check found. */
export function FindingRows<Row extends FindingRow>({
  of: { says, count, sums, rows },
  tone,
  columns,
}: {
  readonly of: {
    readonly says: string;
    readonly count: number;
    readonly sums: readonly Money[];
    readonly rows: readonly Row[];
  };
  readonly tone: string;
  /** Columns after beneficiary, line and amount. */
  readonly columns: readonly Column<Row>[];
}) {
  return (
    <details className={classes.finding} data-tone={tone}>
      <summary>
        <strong>{count.toLocaleString()}</strong> · {says}
      </summary>
      <div className={classes.sums}>
        {sums.map((sum) => formatMoney(sum)).join(" · ")}
        {count > rows.length ? texts.shown(rows.length) : ""}
      </div>
      <DataTable
        caption={says}
        hideCaption
        columns={[...COLUMNS, ...columns]}
        rows={rows}
        rowKey={({ code }) => code}
      />
    </details>
  );
}

/** Shows the last four digits of an account; nothing if they are unknown. */
export const AccountEnding = ({ of }: { readonly of: string | null }) =>
  of === null ? null : (
    <Text size="xs" c="dimmed" component="span" display="block">
      ••{of}
    </Text>
  );

const COLUMNS: readonly Column<FindingRow>[] = [
  {
    key: "name",
    header: texts.beneficiary,
    names: true,
    cell: ({ beneficiary, code, account_last4 }) => (
      <>
        <PageLink to={`/payouts/${encodeURIComponent(code)}`}>
          <UserText text={beneficiary || code} />
        </PageLink>
        <AccountEnding of={account_last4} />
      </>
    ),
  },
  { key: "line", header: texts.line, numeric: true, cell: ({ line }) => line },
  {
    key: "amount",
    header: texts.amount,
    numeric: true,
    card: "amount",
    cell: (row) => <Amount of={row} />,
  },
];
