import type { Answer } from "../../server/client.ts";
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { call } from "../../server/client.ts";
import { frameQuery } from "../../shell/frame-query.ts";

/** Loads the batches that wait for approval, again every 30 seconds. */
export const approvalsQuery = queryOptions({
  queryKey: ["GET /api/approvals"],
  queryFn: ({ signal }) => call("GET /api/approvals", { signal }),
  refetchInterval: 30_000,
});

/** Reloads the list of approvals and its count in the navigation. */
export async function refetchApprovals(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries(approvalsQuery),
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
