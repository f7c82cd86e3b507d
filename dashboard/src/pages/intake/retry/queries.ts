import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { type Answer, call } from "../../../server/client.ts";

/** A declined payout that can be retried, with its masked cells. */
export type DeclinedRow = Answer<"GET /api/batches/:id/declined-rows">["items"][number];

/** A column of a row that a retry may change. */
export type EditableColumn = DeclinedRow["cells"][number]["column"];

/** The new texts of one row, by column. */
export type RowEdits = Partial<Record<EditableColumn, string>>;

/** Loads the payouts of a batch that can be retried, and why others cannot. */
export const retryQuery = (id: string) =>
  queryOptions({
    queryKey: ["GET /api/batches/:id/retry-batch", id],
    queryFn: ({ signal }) => call("GET /api/batches/:id/retry-batch", { params: { id }, signal }),
  });

/** Loads one page of the declined payouts with one cause. */
export const declinedRowsQuery = (id: string, cause: string | null, cursor: string | undefined) =>
  queryOptions({
    queryKey: ["GET /api/batches/:id/declined-rows", id, cause, cursor],
    queryFn: ({ signal }) =>
      call("GET /api/batches/:id/declined-rows", {
        params: { id },
        query: { limit: 25, ...(cause !== null && { cause }), ...(cursor && { cursor }) },
        signal,
      }),
    placeholderData: keepPreviousData,
  });

/** Loads the declined payout on one line, if it has this cause. */
export const declinedLineQuery = (id: string, cause: string | null, line: number | undefined) =>
  queryOptions({
    queryKey: ["GET /api/batches/:id/declined-rows", id, cause, { line }],
    queryFn: ({ signal }) =>
      call("GET /api/batches/:id/declined-rows", {
        params: { id },
        query: { limit: 1, ...(line !== undefined && { line }), ...(cause !== null && { cause }) },
        signal,
      }),
    enabled: line !== undefined,
  });

/** Loads the rules and the bank codes of a currency, which change only with the configuration. */
export const guideQuery = (currency: string) =>
  queryOptions({
    queryKey: ["GET /api/templates/:currency/guide", currency],
    queryFn: ({ signal }) =>
      call("GET /api/templates/:currency/guide", { params: { currency }, signal }),
    staleTime: Infinity,
  });

/** The cells of a request for an edited row. */
export const cellsOf = (edits: RowEdits) =>
  (Object.entries(edits) as [EditableColumn, string][]).map(([column, text]) => ({ column, text }));
