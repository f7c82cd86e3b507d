import { Text } from "@mantine/core";
import type { Column } from "../../components/data-table.tsx";
import { UserText } from "../../components/user-text.tsx";
import { PageLink } from "../../components/page-link.tsx";
import { BatchStateBadge } from "../../components/payout/state-badge.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { formatAmount, formatMoney } from "../../base/money.ts";
import { batchName } from "../../base/text.ts";
import { AccountEnding, FindingRows } from "./finding-rows.tsx";
import { messages } from "./messages.tsx";
import classes from "./approval-sheet.module.css";
import type { ApprovalSheet } from "./queries.ts";

const texts = messages.anomalies;

type Anomaly = NonNullable<ApprovalSheet["anomalies"]>["found"][number];
type Row = Anomaly["rows"][number];

/** Shows each anomaly with its rows, and lists all checks. */
export function Anomalies({
  of: { at, found, overlaps, limited_checks, totals, checks },
  isCalm: isElseCalm,
}: {
  readonly of: NonNullable<ApprovalSheet["anomalies"]>;
  /** True if the file itself has no warnings. */
  readonly isCalm: boolean;
}) {
  const far = totals.filter((total) => total.is_unusual);
  const isCalm = isElseCalm && found.length + overlaps.length + far.length === 0;
  return (
    <>
      {isCalm ? (
        <Text>{texts.none(checks.length)}</Text>
      ) : (
        <div>
          {far.map((total) => (
            <UnusualTotal key={total.currency} of={total} />
          ))}
          {overlaps.map((overlap) => (
            <OverlapWith key={overlap.batch_id} of={overlap} />
          ))}
          {found.map((finding) => (
            <FindingRows
              key={finding.check}
              of={finding}
              tone={TONES[finding.check] ?? "awaiting"}
              columns={COLUMNS.filter(({ when }) => when(finding.rows))}
            />
          ))}
        </div>
      )}
      {limited_checks.map((check) => (
        <Text key={check} size="sm" c="dimmed">
          {texts.cut(check)}
        </Text>
      ))}
      {totals.map((total) =>
        total.is_unusual ? null : <UsualTotal key={total.currency} of={total} />,
      )}
      <details className={classes.checks}>
        <summary>{texts.checks(checks.length, <Timestamp at={at} />)}</summary>
        <ul>
          {checks.map((check) => (
            <li key={check}>{check}</li>
          ))}
        </ul>
      </details>
    </>
  );
}

/** Warns of values that a spreadsheet may have changed before the upload. */
export const NumberColumnsWarning = ({
  of: { batch_id, numbers },
}: {
  readonly of: ApprovalSheet;
}) =>
  numbers.length === 0 ? null : (
    <Text data-tone="awaiting">
      <strong style={{ color: "var(--tone-fg)" }}>{texts.asNumbers}</strong>{" "}
      {numbers.map(({ column, rows }) => texts.columnIn(column, rows)).join(", ")}.{" "}
      {texts.zerosLost} <PageLink to={`/batches/${batch_id}/file`}>{texts.seeRows}</PageLink>
    </Text>
  );

/** Shows warnings about the whole file: an unread sheet, a guessed encoding, an ignored column. */
export const FileWarnings = ({ of: { batch_id, notes } }: { readonly of: ApprovalSheet }) =>
  notes.map(({ code, message, correction }) => (
    <Text key={message} data-tone={code === "column_ignored" ? "progress" : "awaiting"}>
      <strong style={{ color: "var(--tone-fg)" }}>{message}</strong> {correction}{" "}
      <PageLink to={`/batches/${batch_id}/file`}>{texts.seeFile}</PageLink>
    </Text>
  ));

type Total = NonNullable<ApprovalSheet["anomalies"]>["totals"][number];

const UnusualTotal = ({
  of: { currency, amount, usual, times, batches },
}: {
  readonly of: Total;
}) => (
  <Text data-tone="awaiting">
    <strong style={{ color: "var(--tone-fg)" }}>{texts.farTotal(currency, times)}</strong>{" "}
    {texts.farTotalText(formatMoney({ currency, amount }), formatAmount(usual ?? "0"), batches)}
  </Text>
);

type Overlap = NonNullable<ApprovalSheet["anomalies"]>["overlaps"][number];

const OverlapWith = ({
  of: { batch_id, file, name, state, send, created_at, rows, percent, sums },
}: {
  readonly of: Overlap;
}) => (
  <div className={classes.overlap} data-tone="awaiting">
    <Text>
      <strong style={{ color: "var(--tone-fg)" }}>{texts.overlap(percent)}</strong>{" "}
      {texts.overlapText(rows, sums.map((sum) => formatMoney(sum)).join(" · "))}{" "}
      <PageLink to={`/batches/${batch_id}`}>
        <UserText text={batchName({ name, file })} />
      </PageLink>
      , <Timestamp at={created_at} />.
    </Text>
    <BatchStateBadge state={state} send={send} />
  </div>
);

const UsualTotal = ({ of: { currency, usual, times } }: { readonly of: Total }) => (
  <Text size="sm" c="dimmed">
    {usual === null
      ? texts.noTotal(currency)
      : texts.usualTotal(currency, times, formatAmount(usual))}
  </Text>
);

/** Tones of common findings, such as new accounts. The others need attention. */
const TONES: Partial<Record<Anomaly["check"], string>> = {
  never_paid: "progress",
  near_limit: "progress",
};

/** Shows the differences that the last digits of two accounts do not show. */
const Difference = ({
  of,
  beneficiary,
}: {
  readonly of: NonNullable<Row["elsewhere"]>;
  readonly beneficiary: string;
}) => (
  <Text size="xs" c="dimmed" component="span" display="block">
    {of.beneficiary === beneficiary ? null : texts.toName(<UserText text={of.beneficiary} />)}
    {of.one_off_at === null ? null : texts.oneDigit(of.one_off_at)}
  </Text>
);

const COLUMNS: readonly (Column<Row> & { readonly when: (rows: readonly Row[]) => boolean })[] = [
  {
    key: "own",
    header: texts.fromFile,
    when: (rows) => rows.some(({ own }) => own !== null),
    cell: ({ own }) =>
      own === null ? (
        "–"
      ) : (
        <span className={classes.own}>
          <UserText text={own} />
        </span>
      ),
  },
  {
    key: "against",
    header: texts.reference,
    numeric: true,
    when: (rows) => rows.some(({ against }) => against !== null),
    cell: ({ against, times }) =>
      against === null ? "–" : `${formatAmount(against)} (× ${times ?? ""})`,
  },
  {
    key: "elsewhere",
    header: texts.alsoIn,
    when: (rows) => rows.some(({ elsewhere }) => elsewhere !== null),
    cell: ({ elsewhere, beneficiary }) =>
      elsewhere ? (
        <PageLink to={`/batches/${elsewhere.batch_id}`}>
          {texts.lineOf(elsewhere.batch_id, elsewhere.line)}
          <AccountEnding of={elsewhere.account_last4} />
          <Difference of={elsewhere} beneficiary={beneficiary} />
        </PageLink>
      ) : (
        "–"
      ),
  },
];
