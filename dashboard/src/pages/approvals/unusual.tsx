import { Text } from "@mantine/core";
import type { Column } from "../../components/data-table.tsx";
import { Given } from "../../components/given.tsx";
import { Go } from "../../components/go.tsx";
import { BatchStateBadge } from "../../components/state-badge.tsx";
import { When } from "../../components/when.tsx";
import { formatAmount, formatMoney } from "../../money.ts";
import { calledOf, plural } from "../../words.ts";
import { Ending, FoundRows } from "./found-rows.tsx";
import type { Sheet } from "./sheet.tsx";
import classes from "./sheet.module.css";

type Found = NonNullable<Sheet["unusual"]>["found"][number];
type Row = Found["rows"][number];

/** Each finding is a line that opens its rows; what was looked for and not found is named as well. */
export function Unusual({
  of: { at, found, overlaps, cut, totals, checks },
  isCalm: isElseCalm,
}: {
  readonly of: NonNullable<Sheet["unusual"]>;
  /** Nothing is unusual beside it. */
  readonly isCalm: boolean;
}) {
  const far = totals.filter((total) => total.far);
  const isCalm = isElseCalm && found.length + overlaps.length + far.length === 0;
  return (
    <>
      {isCalm ? (
        <Text>Nothing unusual found among {checks.length} checks.</Text>
      ) : (
        <div>
          {far.map((total) => (
            <FarTotal key={total.currency} of={total} />
          ))}
          {overlaps.map((overlap) => (
            <OverlapWith key={overlap.batch_id} of={overlap} />
          ))}
          {found.map((finding) => (
            <FoundRows
              key={finding.check}
              of={finding}
              tone={TONES[finding.check] ?? "alarm"}
              columns={COLUMNS.filter(({ when }) => when(finding.rows))}
            />
          ))}
        </div>
      )}
      {cut.map((check) => (
        <Text key={check} size="sm" c="dimmed">
          Not compared with all: {check}. The largest rows are, with the last payments.
        </Text>
      ))}
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

/** What the whole file is warned of: a sheet that was not read, an encoding that was guessed, a column left out. */
export const OfTheFile = ({ of: { batch_id, notes } }: { readonly of: Sheet }) =>
  notes.map(({ code, message, repair }) => (
    <Text key={message} data-tone={code === "column_ignored" ? "moving" : "alarm"}>
      <strong style={{ color: "var(--tone-text)" }}>{message}</strong> {repair}{" "}
      <Go to={`/batches/${batch_id}/file`}>See how it was read</Go>
    </Text>
  ));

type Total = NonNullable<Sheet["unusual"]>["totals"][number];

const FarTotal = ({ of: { currency, amount, usual, times, batches } }: { readonly of: Total }) => (
  <Text data-tone="alarm">
    <strong style={{ color: "var(--tone-text)" }}>
      {currency}: {times} times the usual total.
    </strong>{" "}
    {formatMoney({ currency, amount })}, and {formatAmount(usual ?? "0")} in{" "}
    {batches === 1
      ? "the last batch"
      : `the middle of the last ${batches.toLocaleString()} batches`}
    .
  </Text>
);

type Overlap = NonNullable<Sheet["unusual"]>["overlaps"][number];

const OverlapWith = ({
  of: { batch_id, file, name, state, send, created_at, rows, percent, sums },
}: {
  readonly of: Overlap;
}) => (
  <div className={classes.overlap} data-tone="alarm">
    <Text>
      <strong style={{ color: "var(--tone-text)" }}>
        {percent} % of its payments are in another batch, too.
      </strong>{" "}
      {plural(rows, "row")}, {sums.map((sum) => formatMoney(sum)).join(" · ")}, to the same
      accounts:{" "}
      <Go to={`/batches/${batch_id}`}>
        <Given text={calledOf({ name, file })} />
      </Go>
      , <When at={created_at} />.
    </Text>
    <BatchStateBadge state={state} send={send} />
  </div>
);

const CalmTotal = ({ of: { currency, usual, times } }: { readonly of: Total }) => (
  <Text size="sm" c="dimmed">
    {usual === null
      ? `${currency}: no batch before it to compare the total with.`
      : `${currency}: the total is ${times} times the usual ${formatAmount(usual)}.`}
  </Text>
);

/** New accounts are the ordinary life of a payer; the rest asks for a look. */
const TONES: Partial<Record<Found["check"], string>> = {
  never_paid: "moving",
  near_limit: "moving",
};

/** What cannot be seen by the ends of two accounts: another name, or where the one digit stands. */
const Difference = ({
  of,
  beneficiary,
}: {
  readonly of: NonNullable<Row["elsewhere"]>;
  readonly beneficiary: string;
}) => (
  <Text size="xs" c="dimmed" component="span" display="block">
    {of.beneficiary === beneficiary ? null : (
      <>
        to <Given text={of.beneficiary} />{" "}
      </>
    )}
    {of.one_off_at === null ? null : `differs at place ${of.one_off_at}`}
  </Text>
);

const COLUMNS: readonly (Column<Row> & { readonly when: (rows: readonly Row[]) => boolean })[] = [
  {
    key: "own",
    header: "From the file",
    when: (rows) => rows.some(({ own }) => own !== null),
    cell: ({ own }) =>
      own === null ? (
        "–"
      ) : (
        <span className={classes.own}>
          <Given text={own} />
        </span>
      ),
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
    cell: ({ elsewhere, beneficiary }) =>
      elsewhere ? (
        <Go to={`/batches/${elsewhere.batch_id}`}>
          {elsewhere.batch_id}, line {elsewhere.line}
          <Ending of={elsewhere.account_last4} />
          <Difference of={elsewhere} beneficiary={beneficiary} />
        </Go>
      ) : (
        "–"
      ),
  },
];
