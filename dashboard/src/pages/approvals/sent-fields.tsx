import { Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, call } from "../../client.ts";
import { Amount } from "../../components/amount.tsx";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Given } from "../../components/given.tsx";
import { Go } from "../../components/go.tsx";
import { Section } from "../../components/section.tsx";
import { Sent } from "../../components/sent.tsx";
import { FIELD_NAMES } from "../../words.ts";
import { paging } from "../../paging.ts";
import type { Sheet } from "./sheet.tsx";
import classes from "./sheet.module.css";

type Row = Answer<"GET /api/batches/:id/sent">["items"][number];

const ROWS = 25;

/** Everything that goes to the gateway: what is the same for all payouts of a lane, and each row with its fields. */
export function SentFields({ sheet: { batch_id, sent } }: { readonly sheet: Sheet }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Section title="Sent to the gateway">
      {sent.map(({ lane, merchant_code, payout_code, callback_url }) => (
        <Text key={lane} size="sm" className={classes.own}>
          {lane}: merchant {merchant_code}, payout code <strong>{payout_code ?? "unknown"}</strong>,{" "}
          {callback_url === null ? "no callback address" : `callbacks to ${callback_url}`}
        </Text>
      ))}
      <details
        className={classes.finding}
        onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      >
        <summary>All rows, with every field that is sent</summary>
        {isOpen ? <Rows batchId={batch_id} /> : null}
      </details>
    </Section>
  );
}

function Rows({ batchId }: { readonly batchId: string }) {
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
  if (!data) return <Text role="status">Loading …</Text>;
  const pages = paging(["sent", batchId], { cursor, next: data.next }, setCursor);
  return (
    <DataTable
      caption="Rows with every field that is sent"
      hideCaption
      columns={columnsFor(data.items)}
      rows={data.items}
      rowKey={({ code }) => code}
      paging={pages}
    />
  );
}

/** One column for each field that a row of this page fills. */
function columnsFor(rows: readonly Row[]): readonly Column<Row>[] {
  const fields = new Set(rows.flatMap(({ details }) => details.map(({ field }) => field)));
  return [
    { key: "line", header: "Line", numeric: true, cell: ({ line }) => line },
    {
      key: "code",
      header: "Transaction code",
      names: true,
      cell: ({ code }) => <Go to={`/payouts/${encodeURIComponent(code)}`}>{code}</Go>,
    },
    { key: "amount", header: "Amount", numeric: true, cell: (row) => <Amount of={row} /> },
    ...[...fields].map((field) => ({
      key: field,
      header: FIELD_NAMES[field] ?? field,
      cell: ({ details }: Row) => (
        <Given text={details.find((each) => each.field === field)?.text ?? "–"} />
      ),
    })),
    {
      key: "payout_code",
      header: "Payout code",
      cell: ({ payout_code: text, own_payout_code: own }) => <Sent of={{ text, own }} />,
    },
    {
      key: "callback_url",
      header: "Callback address",
      cell: ({ callback_url: text, own_callback: own }) => <Sent of={{ text, own }} />,
    },
  ];
}
