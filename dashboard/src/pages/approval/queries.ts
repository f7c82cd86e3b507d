import type { Answer } from "../../server/client.ts";
import { keepPreviousData, type QueryClient, queryOptions } from "@tanstack/react-query";
import { call } from "../../server/client.ts";
import { frameQuery } from "../../shell/frame-query.ts";
import type { ApprovalsSearch } from "./search-params.ts";

const APPROVALS = "GET /api/approvals";

/**
 * Loads the batches that wait for approval and match the filters, again every 30 seconds; every two
 * seconds while payrun still searches them for findings.
 */
export const approvalsQuery = (query: ApprovalsSearch) =>
  queryOptions({
    queryKey: [APPROVALS, query],
    queryFn: ({ signal }) => call(APPROVALS, { query, signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.items.some(({ findings }) => findings === null) ? 2_000 : 30_000,
  });

/** Reloads the list of approvals and its count in the navigation. */
export async function refetchApprovals(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: [APPROVALS] }),
    client.invalidateQueries(frameQuery),
  ]);
}

/** Loads all that an approver sees of a batch. It is not reloaded by itself. */
export const approvalSheetQuery = (id: string) =>
  queryOptions({
    queryKey: ["GET /api/batches/:id/approval", id],
    queryFn: ({ signal }) => call("GET /api/batches/:id/approval", { params: { id }, signal }),
    // The reader approves the content that they opened. It is reloaded only on request.
    staleTime: Infinity,
    // Except while payrun still searches a large batch for anomalies and exact duplicates.
    refetchInterval: ({ state: { data: sheet } }) =>
      sheet && (sheet.anomalies === null || sheet.duplicates.looking) ? 2_000 : false,
    gcTime: 0,
  });

/** All that an approver sees of a batch. */
export type ApprovalSheet = Answer<"GET /api/batches/:id/approval">;

/** The limits that a batch exceeds, and the balances that it needs. */
export type LimitReport = Answer<"GET /api/batches/:id/limits">;

/** The content of a batch. Answers about other content are not shown with it. */
type Content = Pick<ApprovalSheet, "batch_id" | "content_digest">;

/** Loads the limits and balances of this content, again every minute. */
export const limitQuery = ({ batch_id: id, content_digest }: Content) =>
  queryOptions({
    queryKey: ["GET /api/batches/:id/limits", id, content_digest],
    queryFn: ({ signal }) => call("GET /api/batches/:id/limits", { params: { id }, signal }),
    refetchInterval: 60_000,
  });

/** The differences between a batch and the previous one. */
export type BatchComparison = Answer<"GET /api/batches/:id/comparison">;

/** Compares this content with the previous batch that pays the same accounts. */
export const comparisonQuery = ({ batch_id: id, content_digest }: Content) =>
  queryOptions({
    queryKey: ["GET /api/batches/:id/comparison", id, content_digest],
    queryFn: ({ signal }) =>
      call("GET /api/batches/:id/comparison", { params: { id }, query: {}, signal }),
    staleTime: Infinity,
  });

/** Loads how payrun read the file of this content, and its corrections. */
export const fileQuery = ({ batch_id: id, content_digest }: Content) =>
  queryOptions({
    queryKey: ["GET /api/batches/:id/findings", id, content_digest],
    queryFn: ({ signal }) => call("GET /api/batches/:id/findings", { params: { id }, signal }),
    staleTime: Infinity,
  });

/** The rows of a batch in review order. */
export type ReviewPage = Answer<"GET /api/batches/:id/approval/rows">;

/** The rows that a list shows, and their order. */
export interface ReviewFilter {
  readonly show: keyof NonNullable<ReviewPage["counts"]> | "changed";
  readonly order: "flagged" | "largest";
  readonly text: string;
  readonly cursor: string | undefined;
}

const ROWS = 25;

/** Loads one page of the rows of this content; every two seconds while payrun still searches it. */
export const reviewRowsQuery = (
  { batch_id: id, content_digest }: Content,
  { show, order, text, cursor }: ReviewFilter,
) =>
  queryOptions({
    queryKey: ["GET /api/batches/:id/approval/rows", id, content_digest, show, order, text, cursor],
    queryFn: ({ signal }) =>
      call("GET /api/batches/:id/approval/rows", {
        params: { id },
        query: {
          show,
          order,
          limit: ROWS,
          ...(text === "" ? {} : { text }),
          ...(cursor === undefined ? {} : { cursor }),
        },
        signal,
      }),
    staleTime: Infinity,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => (data?.counts === null ? 2_000 : false),
  });
