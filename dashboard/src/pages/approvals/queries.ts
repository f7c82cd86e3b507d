import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { call } from "../../client.ts";
import { frameQuery } from "../../shell/frame-query.ts";

export const approvalsQuery = queryOptions({
  queryKey: ["GET /api/approvals"],
  queryFn: ({ signal }) => call("GET /api/approvals", { signal }),
  refetchInterval: 30_000,
});

/** Somebody has approved: the list, and the count beside its name. */
export async function askAgainWhatWaits(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries(approvalsQuery),
    client.invalidateQueries(frameQuery),
  ]);
}

export const sheetQuery = (id: string) =>
  queryOptions({
    queryKey: ["GET /api/batches/:id/approval", id],
    queryFn: ({ signal }) => call("GET /api/batches/:id/approval", { params: { id }, signal }),
    // What is approved is what was opened: it changes when the reader asks for it, not under their eyes.
    staleTime: Infinity,
    // Unless a large batch is still being looked through.
    refetchInterval: ({ state: { data: sheet } }) =>
      sheet && (sheet.unusual === null || sheet.repeats.looking) ? 2_000 : false,
    gcTime: 0,
  });
