import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Answer } from "../../server/client.ts";
import type { Paging } from "../../base/list/paging.ts";
import { Amount } from "../amount.tsx";
import { type Column, DataTable } from "../data-table.tsx";
import { UserText } from "../user-text.tsx";
import { payoutStateDisplay } from "../../base/state.ts";
import { batchNameOf, capitalized } from "../../base/text.ts";
import { PageLink } from "../page-link.tsx";
import classes from "./payout-table.module.css";
import { pixKeyName } from "./column-messages.ts";
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

/** The states that need a cause to be understood. */
const EXPLAINED: readonly ListedPayout["state"][] = ["declined", "on_hold", "returned", "approved"];

/** The second line of a state: its cause. */
function detailOf(payout: ListedPayout): string | null {
  const { state, cause } = payout;
  if (state === "in_doubt") return heardOf(payout);
  return cause === null || !EXPLAINED.includes(state) ? null : capitalized(cause);
}

/** A longer code does not always fit into one line of a phone. */
const CODE_CHARS_MAX = 24;
const isShort = (code: string): true | undefined => code.length <= CODE_CHARS_MAX || undefined;

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
      data-code={isShort(code)}
      data-row-link
    >
      <UserText text={code} />
    </Anchor>
  ),
});

/** A code or number in fixed-width letters. */
export const Code = ({ text }: { readonly text: string }) => (
  <span className={classes.code} data-code={isShort(text)}>
    <UserText text={text} />
  </span>
);

/** The second line of a cell. */
const Second = ({
  text,
  isDetail,
}: {
  readonly text: string | null;
  /** A card leaves it out. */
  readonly isDetail?: boolean;
}) =>
  text ? (
    <span className={classes.second} data-detail={isDetail}>
      <UserText text={text} />
    </span>
  ) : null;

/** Links the payout that retries a declined or returned one, with its state. */
const Retry = ({ of: { retried_by: retry } }: { readonly of: ListedPayout }) =>
  retry === null ? null : (
    <span className={classes.second} data-proven={retry.state === "settled" || undefined}>
      <PageLink to={`/payouts/${encodeURIComponent(retry.code)}`}>
        {texts.retry(payoutStateDisplay(retry).word)}
      </PageLink>
    </span>
  );

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
        <PayoutStateBadge {...payout} />
        <Second text={detailOf(payout)} />
        <Retry of={payout} />
      </>
    ),
  },
  beneficiary: {
    key: "beneficiary",
    header: texts.beneficiary,
    names: true,
    card: "title",
    cell: ({ code, beneficiary, is_erased, currency, bank, bank_name, account_last4 }) => (
      <>
        <PageLink to={`/payouts/${encodeURIComponent(code)}`} row>
          {is_erased ? <span>{texts.erased}</span> : <UserText text={beneficiary ?? code} />}
        </PageLink>
        <Second
          isDetail
          text={[
            bank_name ?? (bank && (pixKeyName(currency, bank) ?? bank)),
            account_last4 && `••${account_last4}`,
          ]
            .filter(Boolean)
            .join(" ")}
        />
      </>
    ),
  },
  batch: {
    key: "batch",
    header: texts.batch,
    cell: ({ batch_id, line, ...payout }) => (
      <>
        <div className={classes.line} title={batchNameOf(payout)}>
          <PageLink to={`/batches/${batch_id}`}>
            <UserText text={batchNameOf(payout)} />
          </PageLink>
        </div>
        <Second text={texts.lineOf(line)} />
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
