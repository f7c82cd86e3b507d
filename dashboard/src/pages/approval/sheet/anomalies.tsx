import { Text } from "@mantine/core";
import type { Column } from "../../../components/data-table.tsx";
import { UserText } from "../../../components/user-text.tsx";
import { PageLink } from "../../../components/page-link.tsx";
import { columnName, withColumnNames } from "../../../components/payout/column-messages.ts";
import { CellChanges } from "../../../components/payout/retry/cell-changes.tsx";
import { BatchStateBadge } from "../../../components/payout/state-badge.tsx";
import { Timestamp } from "../../../components/timestamp.tsx";
import { formatAmount, formatMoney } from "../../../base/money.ts";
import { PlainAmount } from "../../../components/amount.tsx";
import { batchName } from "../../../base/text.ts";
import { AccountEnding, FindingTable, sumsText } from "./finding-rows.tsx";
import { messages } from "../messages.tsx";
import classes from "./approval-sheet.module.css";
import type { ApprovalSheet } from "../queries.ts";
import { decisiveChecks, severityOf } from "./severity.ts";
import { ratioMessages } from "./ratio-messages.ts";
import type { Flag } from "./verdict.tsx";

const texts = messages.anomalies;

type Anomalies = NonNullable<ApprovalSheet["anomalies"]>;
type Finding = Anomalies["found"][number];
type Row = Finding["rows"][number];

/** Returns the flags of a batch: about its file, its totals, other batches and its rows. */
export const flagsOf = (sheet: ApprovalSheet): readonly Flag[] => {
  const { totals = [], overlaps = [], found = [] } = sheet.anomalies ?? {};
  const decisive = decisiveChecks(sheet);
  const flagOf = (finding: Finding): Flag => findingFlag(finding, decisive);
  return [
    // A retry that changed values is approved for these changes.
    ...found.filter(isChange).map((finding) => changeFlag(finding, flagOf(finding))),
    ...fileFlags(sheet),
    ...totalFlags(totals.filter((total) => total.is_unusual)),
    ...overlaps.map(overlapFlag),
    ...found.filter((finding) => !isChange(finding)).map(flagOf),
  ];
};

/** Returns the descriptions of the checks that found nothing. */
export function passedChecks({ anomalies }: ApprovalSheet): readonly string[] {
  if (anomalies === null) return [];
  const found = new Set<string>(anomalies.found.map(({ says }) => says));
  const others = anomalies.totals
    .filter((total) => !total.is_unusual)
    .map(({ currency, amount, usual, times }) =>
      usual === null
        ? texts.noTotal(currency)
        : texts.usualTotal(
            currency,
            ratioMessages.share(amount, usual, times),
            formatAmount(usual, currency),
          ),
    );
  return [
    ...anomalies.checks.filter((check) => !found.has(check)),
    ...others,
    ...anomalies.limited_checks.map(texts.cut),
  ];
}

/** Flags about the file: an unread sheet, a guessed encoding, values stored as numbers. */
const fileFlags = ({ batch_id, notes, numbers }: ApprovalSheet): readonly Flag[] => [
  ...notes.map(({ code, message, correction }) => ({
    key: `file:${message}`,
    severity: code === "column_ignored" ? ("info" as const) : ("check" as const),
    title: message,
    detail: (
      <>
        {correction} <PageLink to={`/batches/${batch_id}/file`}>{texts.seeFile}</PageLink>
      </>
    ),
  })),
  ...(numbers.length === 0
    ? []
    : [
        {
          key: "numbers",
          severity: "check" as const,
          title: texts.asNumbers,
          detail: (
            <>
              {numbers
                .map(({ column, rows }) => texts.columnIn(columnName(column), rows))
                .join(", ")}
              . {texts.zerosLost}{" "}
              <PageLink to={`/batches/${batch_id}/file`}>{texts.seeRows}</PageLink>
            </>
          ),
        },
      ]),
];

/** One flag for the unusual totals, so that ten currencies do not hide the other flags. */
function totalFlags(totals: Anomalies["totals"]): readonly Flag[] {
  const flags = totals.map(totalFlag);
  if (flags.length < 2) return flags;
  return [
    {
      key: "totals",
      severity: "check",
      title: texts.farTotals(flags.length),
      detail: totals.map(({ currency }) => currency).join(", "),
      more: texts.currencies(flags.length),
      content: (
        <ul>
          {flags.map(({ key, title, detail }) => (
            <li key={key}>
              {title} {detail}
            </li>
          ))}
        </ul>
      ),
    },
  ];
}

const totalFlag = ({
  currency,
  amount,
  usual,
  times,
  batches,
}: Anomalies["totals"][number]): Flag => ({
  key: `total:${currency}`,
  severity: "check",
  title: texts.farTotal(currency, ratioMessages.share(amount, usual ?? "0", times), batches),
  detail: texts.farTotalText(
    formatMoney({ currency, amount }),
    formatMoney({ currency, amount: usual ?? "0" }),
    batches,
  ),
});

const overlapFlag = ({
  batch_id,
  file,
  name,
  purpose,
  created_at,
  rows,
  percent,
  sums,
  ...status
}: Anomalies["overlaps"][number]): Flag => ({
  key: `overlap:${batch_id}`,
  severity: "decide",
  title: texts.overlap(percent),
  detail: (
    <div className={classes.overlap}>
      <span>
        {texts.overlapText(rows, sumsText(sums))}{" "}
        <PageLink to={`/batches/${batch_id}`}>
          <UserText text={batchName({ name, purpose, file })} />
        </PageLink>
        , <Timestamp at={created_at} />.
      </span>
      <BatchStateBadge {...status} />
    </div>
  ),
});

const isChange = ({ check }: Finding): boolean =>
  check === "new_bank_details" || check === "new_details";

/** The changes of a retry in the rows of its declined payouts, shown at once. */
const changeFlag = (finding: Finding, flag: Flag): Flag => ({
  ...flag,
  title: texts.changed(finding.check === "new_bank_details", finding.count),
  detail: sumsText(finding.sums),
  isOpen: true,
});

const findingFlag = (finding: Finding, decisive: ReadonlySet<string>): Flag => ({
  key: finding.check,
  severity: severityOf(finding.check, finding.attention, decisive),
  title: texts.finding(finding.says),
  detail: (
    <>
      {texts.findingText(finding.count, sumsText(finding.sums))}
      {finding.count === 1 ? finding.rows.map((row) => <OnlyRow key={row.code} of={row} />) : null}
    </>
  ),
  more: texts.rows(finding.count),
  content: <FindingTable of={finding} columns={COLUMNS.filter(({ when }) => when(finding.rows))} />,
});

/** The beneficiary and the account of a finding's only row, with the account in the other batch. */
const OnlyRow = ({
  of: { beneficiary, account_last4: account, elsewhere },
}: {
  readonly of: Row;
}) => {
  const other = elsewhere?.account_last4 ?? null;
  return (
    <>
      {" · "}
      <UserText text={beneficiary} />
      {account === null ? null : (
        <span className={classes.account}>
          {" "}
          {other === null || other === account ? null : <del>••{other}</del>} ••{account}
        </span>
      )}
    </>
  );
};

/** Shows where two accounts differ if their last digits are the same. */
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
    key: "changes",
    header: texts.beforeAndAfter,
    when: (rows) => rows.some(({ changes }) => changes.length > 0),
    cell: ({ changes }) => <CellChanges of={changes} />,
  },
  {
    key: "warnings",
    header: texts.warnings,
    when: (rows) => rows.some(({ warnings }) => warnings.length > 0),
    cell: ({ warnings }) => <UserText text={warnings.map(withColumnNames).join(" ")} />,
  },
  {
    key: "against",
    header: texts.reference,
    numeric: true,
    when: (rows) => rows.some(({ against }) => against !== null),
    cell: ({ currency, against, times }) =>
      against === null ? (
        "–"
      ) : (
        <>
          <PlainAmount of={{ currency, amount: against }} /> (× {times ?? ""})
        </>
      ),
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
