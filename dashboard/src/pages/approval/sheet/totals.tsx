import { Alert, List, Text } from "@mantine/core";
import { dateTimeText } from "../../../base/dates.ts";
import { useQuery } from "@tanstack/react-query";
import { CircleCheck, TriangleAlert } from "lucide-react";
import { Amount, PlainAmount } from "../../../components/amount.tsx";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { ErrorState } from "../../../components/error-state.tsx";
import { PageLink } from "../../../components/page-link.tsx";
import { Section } from "../../../components/section.tsx";
import { UserText } from "../../../components/user-text.tsx";
import { addAmounts } from "../../../base/money.ts";
import { batchName } from "../../../base/text.ts";
import { ComparisonParts } from "./comparison.tsx";
import { LaneFunds } from "./lane-funds.tsx";
import { messages } from "../messages.tsx";
import {
  type ApprovalSheet,
  type BatchComparison,
  comparisonQuery,
  type LimitReport,
  limitQuery,
} from "../queries.ts";
import classes from "./totals.module.css";

const texts = messages.totals;

interface TotalRow {
  readonly currency: string;
  readonly amount: string;
  readonly payouts: number;
  /** Undefined: still loading. Null: none. */
  readonly before: string | null | undefined;
  readonly left: string | null | undefined;
  /** The time of the oldest balance behind `left`. Undefined: none. */
  readonly leftAt: string | undefined;
  readonly exceeded: LimitReport["exceeded"] | undefined;
}

/** The totals by currency: compared with the previous batch, the balances and the payout limits. */
export function Totals({ sheet }: { readonly sheet: ApprovalSheet }) {
  const { data: comparison } = useQuery(comparisonQuery(sheet));
  const { data: limits, error } = useQuery(limitQuery(sheet));
  const rows = sheet.totals.map(
    (total): TotalRow => ({
      ...total,
      before: comparison?.totals.find(({ currency }) => currency === total.currency)?.before,
      left: leftAfter(total.currency, limits),
      leftAt: fundsIn(total.currency, limits)
        .flatMap(({ reported_at: at }) => at ?? [])
        .toSorted()[0],
      exceeded: limits?.exceeded.filter(({ found }) => found.currency === total.currency),
    }),
  );
  const isCompared = !comparison || comparison.against !== null;
  return (
    <Section
      title={texts.title}
      caption={comparison && !comparison.is_retry ? <Against of={comparison} /> : null}
    >
      {error && !limits ? <ErrorState error={error} /> : null}
      {limits ? <LimitAlerts of={limits} /> : null}
      <DataTable
        caption={texts.caption}
        hideCaption
        columns={isCompared ? COLUMNS : COLUMNS.filter(({ key }) => !COMPARED.has(key))}
        rows={rows}
        rowKey={({ currency }) => currency}
      />
      {comparison ? <ComparisonParts of={comparison} /> : null}
      {limits && limits.funds.length > 0 ? <LaneFunds of={limits.funds} /> : null}
    </Section>
  );
}

const Against = ({ of: { against } }: { readonly of: BatchComparison }) =>
  against === null ? (
    texts.noPrevious
  ) : (
    <>
      {texts.comparedWith}{" "}
      <PageLink to={`/batches/${against.batch_id}`}>
        <UserText text={batchName(against)} />
      </PageLink>
    </>
  );

const fundsIn = (currency: string, limits: LimitReport | undefined): LimitReport["funds"] =>
  limits?.funds.filter(({ needed }) => needed.currency === currency) ?? [];

/** The available balance after this batch. Null: unknown. Undefined: still loading. */
function leftAfter(currency: string, limits: LimitReport | undefined): string | null | undefined {
  if (!limits) return undefined;
  const lanes = fundsIn(currency, limits);
  const parts = lanes.flatMap(({ free, needed }) =>
    free === null ? [] : [free.amount, `-${needed.amount}`],
  );
  return lanes.length === 0 || parts.length < 2 * lanes.length ? null : addAmounts(parts);
}

/** "+18.0%": for the eye only, so a floating-point number is enough. */
function changeText(amount: string, before: string): string {
  const change = (Number(amount) / Number(before) - 1) * 100;
  const text = Math.abs(change).toLocaleString(undefined, {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
  return texts.change(change < 0, text);
}

/** The columns that need a previous batch. */
const COMPARED: ReadonlySet<string> = new Set(["before", "change"]);

const COLUMNS: readonly Column<TotalRow>[] = [
  { key: "currency", header: texts.currency, names: true, cell: ({ currency }) => currency },
  {
    key: "payouts",
    header: texts.payouts,
    numeric: true,
    cell: ({ payouts }) => payouts.toLocaleString(),
  },
  {
    key: "total",
    header: texts.total,
    numeric: true,
    card: "amount",
    cell: (row) => (
      <strong className={classes.total}>
        <Amount of={row} />
      </strong>
    ),
  },
  {
    key: "before",
    header: texts.previous,
    numeric: true,
    cell: ({ currency, before }) =>
      before ? <PlainAmount of={{ currency, amount: before }} /> : "–",
  },
  {
    key: "change",
    header: texts.changed,
    numeric: true,
    cell: ({ amount, before }) => (before ? changeText(amount, before) : "–"),
  },
  {
    key: "left",
    header: texts.left,
    numeric: true,
    cell: ({ currency, left, leftAt }) =>
      left ? (
        <>
          <PlainAmount of={{ currency, amount: left }} />
          {leftAt ? (
            <div className={classes.leftAsOf}>{texts.leftAsOf(dateTimeText(leftAt))}</div>
          ) : null}
        </>
      ) : left === null ? (
        texts.unknown
      ) : (
        "–"
      ),
  },
  { key: "limits", header: texts.limits, cell: ({ exceeded }) => <LimitSign of={exceeded} /> },
];

function LimitSign({ of }: { readonly of: TotalRow["exceeded"] }) {
  if (of === undefined) return "–";
  const isWithin = of.length === 0;
  const Icon = isWithin ? CircleCheck : TriangleAlert;
  return (
    <span className={classes.limit} data-tone={isWithin ? "settled" : "declined"}>
      <Icon size={14} aria-hidden />
      {isWithin ? texts.within : texts.exceeded}
    </span>
  );
}

/** The exceeded payout limits with their remedies, and balances that may not cover the batch. */
function LimitAlerts({ of: { exceeded, funds, refused } }: { readonly of: LimitReport }) {
  const doubtful = funds.filter(({ state }) => state !== "enough");
  const isHard = exceeded.some(({ hard }) => hard);
  const isShort = doubtful.some(({ state }) => state === "short");
  return (
    <>
      {exceeded.length === 0 ? null : (
        <Alert
          color={isHard ? "red" : "orange"}
          variant="light"
          title={isHard ? texts.hard : texts.soft}
        >
          <List size="sm">
            {exceeded.map(({ says, remedy, scope, hard }) => (
              <List.Item key={`${scope} ${hard} ${says}`}>
                {says} {remedy}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      {doubtful.length === 0 ? null : (
        <Alert color="orange" variant="light" title={isShort ? texts.short : texts.balanceUnknown}>
          <List size="sm">
            {doubtful.map(({ lane, says }) => (
              <List.Item key={lane}>{says}</List.Item>
            ))}
          </List>
          {refused ? <Text size="sm">{texts.refused}</Text> : null}
        </Alert>
      )}
    </>
  );
}
