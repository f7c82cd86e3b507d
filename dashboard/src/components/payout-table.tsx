import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Answer } from "../client.ts";
import type { Paging } from "../paging.ts";
import { Amount } from "./amount.tsx";
import { type Column, DataTable } from "./data-table.tsx";
import { Given } from "./given.tsx";
import { Go } from "./go.tsx";
import classes from "./payout-table.module.css";
import { PayoutStateBadge } from "./state-badge.tsx";
import { When } from "./when.tsx";

export type ListedPayout = Answer<"GET /api/payouts">["items"][number];

/** Of the rows of one file: whom, where and how much. */
export const ROW_COLUMNS = {
  line: { key: "line", header: "Line", numeric: true, cell: ({ line }) => line },
  name: {
    key: "name",
    header: "Beneficiary",
    names: true,
    cell: ({ code, beneficiary }) => (
      <Go to={`/payouts/${encodeURIComponent(code)}`}>
        <Given text={beneficiary ?? code} />
      </Go>
    ),
  },
  account: {
    key: "account",
    header: "Account",
    cell: ({ account_last4 }) => (account_last4 === null ? "–" : `••${account_last4}`),
  },
  amount: {
    key: "amount",
    header: "Amount",
    numeric: true,
    cell: (payout) => <Amount of={payout} />,
  },
} as const satisfies Readonly<Record<string, Column<ListedPayout>>>;

/** What the gateway last said of a payout in doubt: nothing, or nothing that ends it. */
function heardOf({ heard, attempts }: ListedPayout): string {
  const said =
    heard === null
      ? "no answer that can be read"
      : heard.answer === "not_found"
        ? `the gateway does not show it, ${heard.times}×`
        : `unclear answer, ${heard.times}×`;
  return attempts > 1 ? `${said}; tried ${attempts}×` : said;
}

/** By which a row is opened; `list`: the pages that its code leads to. */
export const codeColumn = (list: "payouts" | "deposits"): Column<{ readonly code: string }> => ({
  key: "code",
  header: "Code",
  names: true,
  cell: ({ code }) => (
    <Anchor
      component={Link}
      to={`/${list}/${encodeURIComponent(code)}`}
      className={classes.code}
      data-row-link
    >
      <Given text={code} />
    </Anchor>
  ),
});

const COLUMNS: readonly Column<ListedPayout>[] = [
  codeColumn("payouts"),
  ROW_COLUMNS.amount,
  {
    key: "state",
    header: "State",
    cell: (payout) => (
      <>
        <PayoutStateBadge state={payout.state} />
        {payout.state === "in_doubt" ? (
          <span className={classes.second}>{heardOf(payout)}</span>
        ) : null}
      </>
    ),
  },
  {
    key: "beneficiary",
    header: "Beneficiary",
    cell: ({ beneficiary, bank, account_last4 }) => (
      <>
        {beneficiary === null ? "–" : <Given text={beneficiary} />}
        <span className={classes.second}>
          {bank === null ? null : <Given text={bank} />} {account_last4 ? `••${account_last4}` : ""}
        </span>
      </>
    ),
  },
  {
    key: "batch",
    header: "Batch",
    cell: ({ batch_id, line }) => (
      <>
        <span className={classes.code}>{batch_id}</span>
        <span className={classes.second}>line {line}</span>
      </>
    ),
  },
  {
    key: "changed",
    header: "Last change",
    cell: ({ updated_at }) => <When at={updated_at} relative={false} />,
  },
];

/** Payouts, as they look in every list. */
export function PayoutTable(props: {
  readonly caption: string;
  readonly hideCaption?: boolean;
  readonly rows: readonly ListedPayout[];
  readonly paging?: Paging;
  readonly empty?: ReactNode;
}) {
  return <DataTable {...props} columns={COLUMNS} rowKey={({ code }) => code} />;
}
