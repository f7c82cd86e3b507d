import { Text } from "@mantine/core";
import { Amount } from "../../../components/amount.tsx";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { UserText } from "../../../components/user-text.tsx";
import { PageLink } from "../../../components/page-link.tsx";
import { formatMoney, type Money } from "../../../base/money.ts";
import { messages } from "../messages.tsx";
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

interface Finding<Row> {
  readonly says: string;
  readonly count: number;
  readonly rows: readonly Row[];
}

/** More totals are counted, because a line of amounts is not read. */
const SUMS_MAX = 3;

/** The totals of a finding or a batch by currency, on one line. */
export const sumsText = (sums: readonly Money[]): string =>
  sums.length > SUMS_MAX
    ? texts.currencies(sums.length)
    : sums.map((sum) => formatMoney(sum)).join(" · ");

/** The largest rows of a finding. */
export const FindingTable = <Row extends FindingRow>({
  of: { says, count, rows },
  columns,
}: {
  readonly of: Finding<Row>;
  /** Columns after beneficiary, line and amount. */
  readonly columns: readonly Column<Row>[];
}) => (
  <>
    <DataTable
      caption={says}
      hideCaption
      columns={[...COLUMNS, ...columns]}
      rows={rows}
      rowKey={({ code }) => code}
    />
    {count > rows.length ? (
      <Text size="xs" c="dimmed">
        {texts.shown(rows.length)}
      </Text>
    ) : null}
  </>
);

/** A collapsed finding: its number of rows, its totals, and a table. */
export const FindingRows = <Row extends FindingRow>({
  of,
  columns,
}: {
  readonly of: Finding<Row> & { readonly sums: readonly Money[] };
  readonly columns: readonly Column<Row>[];
}) => (
  <details className={classes.finding}>
    <summary>
      <strong>{of.count.toLocaleString()}</strong> {of.says}{" "}
      <span className={classes.sums}>{sumsText(of.sums)}</span>
    </summary>
    <FindingTable of={of} columns={columns} />
  </details>
);

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
