import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "../../server/client.ts";

/** The key of the mutation that cancels the unsent payouts of a batch. */
export const cancelKey = (id: string) => ["POST /api/batches/:id/cancel", id];

const REFRESH_MS = 5_000;

/** Loads a batch by its id. */
export const batchQuery = (id: string) =>
  queryOptions({
    queryKey: ["GET /api/batches/:id", id],
    queryFn: ({ signal }) => call("GET /api/batches/:id", { params: { id }, signal }),
  });

/** Loads the number and sums of the payouts of a batch that have not been sent. */
export const unsentQuery = (id: string) =>
  queryOptions({
    queryKey: ["GET /api/batches/:id/unsent", id],
    queryFn: ({ signal }) => call("GET /api/batches/:id/unsent", { params: { id }, signal }),
    staleTime: 0,
    gcTime: 0,
  });

/** Loads the progress of a batch; every five seconds while payrun is sending it. */
export const progressQuery = (id: string, isWorking: boolean) =>
  queryOptions({
    queryKey: ["GET /api/batches/:id/progress", id],
    queryFn: ({ signal }) => call("GET /api/batches/:id/progress", { params: { id }, signal }),
    refetchInterval: isWorking ? REFRESH_MS : false,
    placeholderData: keepPreviousData,
  });

/** Loads the timeline of a batch. */
export const timelineQuery = (id: string) =>
  queryOptions({
    queryKey: ["GET /api/batches/:id/timeline", id],
    queryFn: ({ signal }) => call("GET /api/batches/:id/timeline", { params: { id }, signal }),
  });

/** Loads the failure groups of a batch, again when `version` changes. */
export const failuresOfBatchQuery = (batch: string, version: string) =>
  queryOptions({
    queryKey: ["GET /api/failures", "batch", batch, version],
    queryFn: ({ signal }) => call("GET /api/failures", { query: { batch }, signal }),
    // The payouts of a retry batch change without a change of this one.
    refetchInterval: ({ state: { data } }) =>
      data?.groups.some((group) => group.retry_batches.length > 0) ? REFRESH_MS : false,
    placeholderData: keepPreviousData,
  });
