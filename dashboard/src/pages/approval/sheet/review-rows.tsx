import { SegmentedControl, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Info, Search, TriangleAlert } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { useAfterTyping } from "../../../base/list/use-after-typing.ts";
import { Amount } from "../../../components/amount.tsx";
import { columnName, pixKeyName } from "../../../components/payout/column-messages.ts";
import { ChangedValue } from "../../../components/payout/retry/cell-changes.tsx";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { ErrorState } from "../../../components/error-state.tsx";
import { PageLink } from "../../../components/page-link.tsx";
import { Section } from "../../../components/section.tsx";
import { UserText } from "../../../components/user-text.tsx";
import { paging } from "../../../base/list/paging.ts";
import { reviewMessages as texts } from "./review-messages.tsx";
import {
  type ApprovalSheet,
  comparisonQuery,
  type ReviewFilter,
  type ReviewPage,
  reviewRowsQuery,
} from "../queries.ts";
import {
  decisiveChecks,
  type Severity,
  severityOf,
  SEVERITY_TONE,
  worstFirst,
} from "./severity.ts";
import classes from "./review-rows.module.css";

type Row = ReviewPage["items"][number];
type Cell = NonNullable<Row["correction"]>["cells"][number];

const SHOWN = ["all", "flagged", "corrected", "new", "changed"] as const;

const FIRST: ReviewFilter = { show: "all", order: "flagged", text: "", cursor: undefined };

/** All payouts of the batch, flagged and largest first, with the cells changed by corrections. */
export function ReviewRows({ sheet }: { readonly sheet: ApprovalSheet }) {
  const [filter, setFilter] = useState<ReviewFilter>(FIRST);
  const text = useAfterTyping(filter.text.trim());
  const found = useQuery(reviewRowsQuery(sheet, { ...filter, text }));
  const { error, refetch } = found;
  const page = useDeferredValue(found.data);
  const changed = useChangedCount(sheet);
  const change = (next: Partial<ReviewFilter>): void =>
    setFilter((before) => ({ ...before, cursor: undefined, ...next }));
  return (
    <Section title={texts.title}>
      <div className={classes.tools}>
        <div className={classes.chips} role="group" aria-label={texts.filter}>
          {SHOWN.filter((show) => show !== "changed" || changed !== null).map((show) => (
            <button
              key={show}
              type="button"
              className={classes.chip}
              aria-pressed={filter.show === show}
              onClick={() => change({ show })}
            >
              {texts.show[show]} <span>{countText(page, show, changed)}</span>
            </button>
          ))}
        </div>
        <SegmentedControl
          size="xs"
          aria-label={texts.order}
          value={filter.order}
          onChange={(order) => change({ order })}
          data={ORDERS}
        />
        <TextInput
          aria-label={texts.find}
          placeholder={texts.find}
          leftSection={<Search size={16} aria-hidden />}
          value={filter.text}
          onChange={({ currentTarget }) => change({ text: currentTarget.value })}
          className={classes.find}
        />
      </div>
      {error ? <ErrorState error={error} reset={() => void refetch()} /> : null}
      {page ? (
        <DataTable
          caption={texts.caption}
          hideCaption
          columns={columnsOf(decisiveChecks(sheet))}
          rows={page.items}
          rowKey={({ code }) => code}
          empty={
            <Text size="sm" c="dimmed" p="md">
              {texts.none}
            </Text>
          }
          paging={paging(
            ["review", sheet.batch_id, filter.show, filter.order, text],
            { cursor: filter.cursor, next: page.next },
            (cursor) => change({ cursor }),
          )}
        />
      ) : error ? null : (
        <Text role="status">{texts.loading}</Text>
      )}
    </Section>
  );
}

const ORDERS = (["flagged", "largest"] as const).map((value) => ({
  value,
  label: texts.orders[value],
}));

/** The accounts that changed against the previous batch. Null: there is no such batch. */
function useChangedCount(sheet: ApprovalSheet): number | null {
  const { data } = useQuery(comparisonQuery(sheet));
  if (!data?.against) return null;
  return data.parts
    .filter(({ part }) => part !== "same" && part !== "missing")
    .reduce((sum, { count }) => sum + count, 0);
}

/** The number of rows of a filter, or how many of them it lists. */
function countText(
  page: ReviewPage | undefined,
  show: ReviewFilter["show"],
  changed: number | null,
): string {
  const count = show === "changed" ? changed : page?.counts?.[show];
  if (count === undefined || count === null) return "…";
  const listed = show === "flagged" || show === "new" ? (page?.listed?.[show] ?? count) : count;
  return listed < count ? texts.shown(listed, count) : count.toLocaleString();
}

const AMOUNT = "transaction_amount";

const isAmount = ({ column }: Cell): boolean => column === AMOUNT;
const isAccount = ({ is_account: is }: Cell): boolean => is;
const changedCell = ({ correction }: Row, is: (cell: Cell) => boolean): Cell | undefined =>
  correction?.cells.find(is);

const CheckBadges = ({
  row,
  decisive,
}: {
  readonly row: Row;
  readonly decisive: ReadonlySet<string>;
}) => {
  if (row.checks === null) return texts.searching;
  const severityIn = (check: keyof typeof texts.checks): Severity =>
    severityOf(check, texts.checks[check].attention, decisive);
  const others = (row.correction?.cells ?? []).filter(
    (cell) => !isAmount(cell) && !isAccount(cell),
  );
  return (
    <div className={classes.checks}>
      {worstChecksFirst(row.checks, severityIn).map((check) => {
        const severity = severityIn(check);
        const Icon = severity === "info" ? Info : TriangleAlert;
        return (
          <span key={check} className={classes.check} data-tone={SEVERITY_TONE[severity]}>
            <Icon size={12} aria-hidden />
            {check === "corrected" && row.correction
              ? texts.correctedBy(<UserText text={row.correction.by.name} />)
              : texts.checks[check].text}
          </span>
        );
      })}
      {others.map((cell) => (
        <div key={cell.column} className={classes.other}>
          {columnName(cell.column)}: <ChangedValue {...cell} />
        </div>
      ))}
      {row.checks.length === 0 ? <span className={classes.calm}>{texts.nothing}</span> : null}
    </div>
  );
};

const worstChecksFirst = <Check extends string>(
  checks: readonly Check[],
  severityIn: (check: Check) => Severity,
): readonly Check[] =>
  checks.toSorted((one, other) => worstFirst(severityIn(one), severityIn(other)));

const columnsOf = (decisive: ReadonlySet<string>): readonly Column<Row>[] => [
  { key: "line", header: texts.line, numeric: true, cell: ({ line }) => line },
  {
    key: "name",
    header: texts.beneficiary,
    names: true,
    cell: ({ beneficiary, code }) => (
      <PageLink to={`/payouts/${encodeURIComponent(code)}`}>
        <UserText text={beneficiary || code} />
      </PageLink>
    ),
  },
  {
    key: "account",
    header: texts.account,
    cell: (row) => {
      const changed = changedCell(row, isAccount);
      return (
        <>
          {changed ? (
            <ChangedValue {...changed} />
          ) : row.account_last4 ? (
            `••${row.account_last4}`
          ) : (
            "–"
          )}
          {row.bank === null ? null : (
            <Text size="xs" c="dimmed" component="span" display="block">
              <UserText text={pixKeyName(row.currency, row.bank) ?? row.bank} />
            </Text>
          )}
        </>
      );
    },
  },
  {
    key: "amount",
    header: texts.amount,
    numeric: true,
    card: "amount",
    cell: (row) => {
      const changed = changedCell(row, isAmount);
      return changed ? (
        <span className={classes.changed}>
          <del>{changed.before || texts.empty}</del>{" "}
          <ins>
            <Amount of={row} />
          </ins>
        </span>
      ) : (
        <Amount of={row} />
      );
    },
  },
  {
    key: "checks",
    header: texts.check,
    cell: (row) => <CheckBadges row={row} decisive={decisive} />,
  },
];
