import { Text } from "@mantine/core";
import { Amount } from "../../components/amount.tsx";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { Go } from "../../components/go.tsx";
import { When } from "../../components/when.tsx";
import { formatAmount, formatMoney } from "../../money.ts";
import { plural } from "../../words.ts";
import type { Sheet } from "./sheet.tsx";
import classes from "./sheet.module.css";

type Found = NonNullable<Sheet["unusual"]>["found"][number];
type Row = Found["rows"][number];

/** Each finding is a line that opens its rows; what was looked for and not found is named as well. */
export function Unusual({
  of: { at, found, totals, checks },
  isCalm: isElseCalm,
}: {
  readonly of: NonNullable<Sheet["unusual"]>;
  /** Nothing is unusual beside it. */
  readonly isCalm: boolean;
}) {
  const far = totals.filter((total) => total.far);
  const isCalm = isElseCalm && found.length === 0 && far.length === 0;
  return (
    <>
      {isCalm ? (
        <Text>Nothing unusual found among {checks.length} checks.</Text>
      ) : (
        <div>
          {far.map((total) => (
            <FarTotal key={total.currency} of={total} />
          ))}
          {found.map((finding) => (
            <Finding key={finding.check} of={finding} />
          ))}
        </div>
      )}
      {totals.map((total) => (total.far ? null : <CalmTotal key={total.currency} of={total} />))}
      <details className={classes.checks}>
        <summary>
          The {checks.length} checks, made <When at={at} />
        </summary>
        <ul>
          {checks.map((check) => (
            <li key={check}>{check}</li>
          ))}
        </ul>
      </details>
    </>
  );
}

/** What a spreadsheet has perhaps changed before anybody brought it. */
export const HeldAsNumbers = ({ of: { batch_id, numbers } }: { readonly of: Sheet }) =>
  numbers.length === 0 ? null : (
    <Text data-tone="alarm">
      <strong style={{ color: "var(--tone-text)" }}>A spreadsheet held as numbers:</strong>{" "}
      {numbers.map(({ column, rows }) => `${column} in ${plural(rows, "row")}`).join(", ")}. Zeros
      at their start would be lost. <Go to={`/batches/${batch_id}/file`}>See the rows</Go>
    </Text>
  );

type Total = NonNullable<Sheet["unusual"]>["totals"][number];

const FarTotal = ({ of: { currency, amount, usual, times, batches } }: { readonly of: Total }) => (
  <Text data-tone="alarm">
    <strong style={{ color: "var(--tone-text)" }}>
      {currency}: {times} times the usual total.
    </strong>{" "}
    {formatMoney({ currency, amount })}, and {formatAmount(usual ?? "0")} in the middle of the last{" "}
    {plural(batches, "batch").replace("batchs", "batches")}.
  </Text>
);

const CalmTotal = ({ of: { currency, usual, times } }: { readonly of: Total }) => (
  <Text size="sm" c="dimmed">
    {usual === null
      ? `${currency}: no batch before it to compare the total with.`
      : `${currency}: the total is ${times} times the usual ${formatAmount(usual)}.`}
  </Text>
);

function Finding({ of: { check, says, count, sums, rows } }: { readonly of: Found }) {
  return (
    <details className={classes.finding} data-tone={TONES[check] ?? "alarm"}>
      <summary>
        <strong>{count.toLocaleString()}</strong> · {says}
      </summary>
      <div className={classes.sums}>
        {sums.map((sum) => formatMoney(sum)).join(" · ")}
        {count > rows.length ? ` · the ${rows.length} largest are shown` : ""}
      </div>
      <DataTable
        caption={says}
        hideCaption
        columns={COLUMNS.filter(({ when }) => when(rows))}
        rows={rows}
        rowKey={({ code }) => code}
      />
    </details>
  );
}

/** New accounts are the ordinary life of a payer; the rest asks for a look. */
const TONES: Partial<Record<Found["check"], string>> = {
  never_paid: "moving",
  near_limit: "moving",
};

const always = (): boolean => true;

const Ending = ({ of }: { readonly of: string | null }) =>
  of === null ? null : (
    <Text size="xs" c="dimmed" component="span" display="block">
      ••{of}
    </Text>
  );

const COLUMNS: readonly (Column<Row> & { readonly when: (rows: readonly Row[]) => boolean })[] = [
  {
    key: "name",
    header: "Beneficiary",
    names: true,
    when: always,
    cell: ({ beneficiary, code, account_last4 }) => (
      <>
        <Go to={`/payouts/${code}`}>{beneficiary || code}</Go>
        <Ending of={account_last4} />
      </>
    ),
  },
  { key: "line", header: "Line", numeric: true, when: always, cell: ({ line }) => line },
  {
    key: "amount",
    header: "Amount",
    numeric: true,
    when: always,
    cell: (row) => <Amount of={row} />,
  },
  {
    key: "against",
    header: "Beside",
    numeric: true,
    when: (rows) => rows.some(({ against }) => against !== null),
    cell: ({ against, times }) =>
      against === null ? "–" : `${formatAmount(against)} (× ${times ?? ""})`,
  },
  {
    key: "elsewhere",
    header: "Also in",
    when: (rows) => rows.some(({ elsewhere }) => elsewhere !== null),
    cell: ({ elsewhere }) =>
      elsewhere ? (
        <Go to={`/batches/${elsewhere.batch_id}`}>
          {elsewhere.batch_id}, line {elsewhere.line}
          <Ending of={elsewhere.account_last4} />
        </Go>
      ) : (
        "–"
      ),
  },
];
