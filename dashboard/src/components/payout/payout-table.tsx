import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Answer } from "../../server/client.ts";
import type { Paging } from "../../base/list/paging.ts";
import { Amount } from "../amount.tsx";
import { type Column, DataTable } from "../data-table.tsx";
import { UserText } from "../user-text.tsx";
import { PageLink } from "../page-link.tsx";
import classes from "./payout-table.module.css";
import { PayoutStateBadge } from "./state-badge.tsx";
import { Timestamp } from "../timestamp.tsx";
import { detailMessages } from "../detail-messages.tsx";

const texts = detailMessages.payouts;

/** A payout as listed by the API. */
export type ListedPayout = Answer<"GET /api/payouts">["items"][number];

/** The columns of the rows of one file. */
export const FILE_ROW_COLUMNS = {
  line: { key: "line", header: texts.line, numeric: true, cell: ({ line }) => line },
  name: {
    key: "name",
    header: texts.beneficiary,
    names: true,
    cell: ({ code, beneficiary, is_erased }) => (
      <PageLink to={`/payouts/${encodeURIComponent(code)}`}>
        {is_erased ? <span>{texts.erased}</span> : <UserText text={beneficiary ?? code} />}
      </PageLink>
    ),
  },
  account: {
    key: "account",
    header: texts.account,
    cell: ({ account_last4 }) => (account_last4 === null ? "–" : `••${account_last4}`),
  },
  amount: {
    key: "amount",
    header: texts.amount,
    numeric: true,
    card: "amount",
    cell: (payout) => <Amount of={payout} />,
  },
} as const satisfies Readonly<Record<string, Column<ListedPayout>>>;

/** The last answer of the gateway about a payout in doubt. */
function heardOf({ last_status_answer: heard, attempts }: ListedPayout): string {
  const answer = heard === null ? texts.noAnswer : texts.answers[heard.answer](heard.times);
  return attempts > 1 ? texts.attempts(answer, attempts) : answer;
}

/** The column that opens a row. `list` is the section of the linked pages. */
export const codeColumn = (list: "payouts" | "deposits"): Column<{ readonly code: string }> => ({
  key: "code",
  header: texts.code,
  names: true,
  cell: ({ code }) => (
    <Anchor
      component={Link}
      to={`/${list}/${encodeURIComponent(code)}`}
      className={classes.code}
      data-row-link
    >
      <UserText text={code} />
    </Anchor>
  ),
});

/** The columns of lists of payouts. */
export const LISTED_COLUMNS = {
  code: codeColumn("payouts"),
  amount: FILE_ROW_COLUMNS.amount,
  state: {
    key: "state",
    header: texts.state,
    card: "state",
    cell: (payout) => (
      <>
        <PayoutStateBadge state={payout.state} batch_state={payout.batch_state} />
        {payout.state === "in_doubt" ? (
          <span className={classes.second}>{heardOf(payout)}</span>
        ) : null}
      </>
    ),
  },
  beneficiary: {
    key: "beneficiary",
    header: texts.beneficiary,
    card: "title",
    cell: ({ beneficiary, is_erased, bank, account_last4 }) => (
      <>
        {is_erased ? (
          <span>{texts.erased}</span>
        ) : beneficiary === null ? (
          "–"
        ) : (
          <UserText text={beneficiary} />
        )}
        <span className={classes.second}>
          {bank === null ? null : <UserText text={bank} />}{" "}
          {account_last4 ? `••${account_last4}` : ""}
        </span>
      </>
    ),
  },
  batch: {
    key: "batch",
    header: texts.batch,
    cell: ({ batch_id, line }) => (
      <>
        <span className={classes.code}>{batch_id}</span>
        <span className={classes.second}>{texts.lineOf(line)}</span>
      </>
    ),
  },
  changed: {
    key: "changed",
    header: texts.lastChange,
    cell: ({ updated_at }) => <Timestamp at={updated_at} relative={false} />,
  },
} as const satisfies Readonly<Record<string, Column<ListedPayout>>>;

const { code, amount, state, batch, changed } = LISTED_COLUMNS;
const COLUMNS: readonly Column<ListedPayout>[] = [code, amount, state, batch, changed];

/** The table of a few payouts to the same beneficiary. */
export function PayoutTable(props: {
  readonly caption: string;
  readonly hideCaption?: boolean;
  readonly rows: readonly ListedPayout[];
  readonly paging?: Paging;
  readonly empty?: ReactNode;
}) {
  return <DataTable {...props} columns={COLUMNS} rowKey={({ code }) => code} />;
}
