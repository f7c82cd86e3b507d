import { Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, call } from "../../../../server/client.ts";
import { Amount } from "../../../../components/amount.tsx";
import { type Column, DataTable } from "../../../../components/data-table.tsx";
import { ErrorState } from "../../../../components/error-state.tsx";
import { UserText } from "../../../../components/user-text.tsx";
import { PageLink } from "../../../../components/page-link.tsx";
import { SentValue } from "../../../../components/payout/sent-value.tsx";
import { messages as common } from "../../../../base/messages.ts";
import { paging } from "../../../../base/list/paging.ts";
import { messages } from "../../messages.tsx";
import classes from "./sent.module.css";

const texts = messages.sent;

type Row = Answer<"GET /api/batches/:id/sent">["items"][number];

const ROWS = 25;

/** A table of the fields sent for each row of a batch. */
export function SentRows({ batchId }: { readonly batchId: string }) {
  const [cursor, setCursor] = useState<string | undefined>();
  const { data, error, refetch } = useQuery({
    queryKey: ["GET /api/batches/:id/sent", batchId, cursor],
    queryFn: ({ signal }) =>
      call("GET /api/batches/:id/sent", {
        params: { id: batchId },
        query: { limit: ROWS, ...(cursor === undefined ? {} : { cursor }) },
        signal,
      }),
    staleTime: Infinity,
    placeholderData: keepPreviousData,
  });
  if (error) return <ErrorState error={error} reset={() => void refetch()} />;
  if (!data) return <Text role="status">{texts.loading}</Text>;
  const pages = paging(["sent", batchId], { cursor, next: data.next }, setCursor);
  return (
    <DataTable
      caption={texts.caption}
      hideCaption
      isWide
      columns={columnsFor(data.items)}
      rows={data.items}
      rowKey={({ code }) => code}
      paging={pages}
    />
  );
}

/** Shown in one column, so that a callback URL fits on the screen without scrolling. */
const BANK_FIELDS: readonly string[] = ["bank_name", "bank_code", "ifsc_code", "branch_code"];

const BankOf = ({ details }: Row) =>
  BANK_FIELDS.flatMap((field) => details.filter((each) => each.field === field)).map(
    ({ field, text }) => (
      <div key={field} className={classes.bank}>
        <span>{field === "bank_name" ? texts.bankName : (common.fields[field] ?? field)}</span>{" "}
        <UserText text={text} />
      </div>
    ),
  );

/** One column for each field that a row of this page fills, and one for the bank. */
function columnsFor(rows: readonly Row[]): readonly Column<Row>[] {
  const filled = new Set(rows.flatMap(({ details }) => details.map(({ field }) => field)));
  const fields = [...filled].filter((field) => !BANK_FIELDS.includes(field));
  return [
    { key: "line", header: texts.line, numeric: true, cell: ({ line }) => line },
    {
      key: "code",
      header: texts.code,
      names: true,
      cell: ({ code }) => <PageLink to={`/payouts/${encodeURIComponent(code)}`}>{code}</PageLink>,
    },
    {
      key: "amount",
      header: texts.amount,
      numeric: true,
      card: "amount",
      cell: (row) => <Amount of={row} />,
    },
    {
      key: "payout_code",
      header: texts.payoutCode,
      cell: ({ payout_code: text, own_payout_code: own }) => <SentValue of={{ text, own }} />,
    },
    {
      key: "callback_url",
      header: texts.callbackAddress,
      cell: ({ callback_url: text, own_callback: own }) => (
        <div className={classes.address}>
          <SentValue of={{ text, own }} />
        </div>
      ),
    },
    ...fields.map((field) => ({
      key: field,
      header: common.fields[field] ?? field,
      cell: ({ details }: Row) => (
        <UserText text={details.find((each) => each.field === field)?.text ?? "–"} />
      ),
    })),
    ...(fields.length < filled.size ? [{ key: "bank", header: texts.bank, cell: BankOf }] : []),
  ];
}
