import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { type Answer, call } from "../../server/client.ts";

export type BatchView = Answer<"GET /api/batches/:id">;

export const batchQuery = (id: string) =>
  queryOptions({
    queryKey: ["GET /api/batches/:id", id],
    queryFn: ({ signal }) => call("GET /api/batches/:id", { params: { id }, signal }),
  });

export const progressQuery = (id: string, isWorking: boolean) =>
  queryOptions({
    queryKey: ["GET /api/batches/:id/progress", id],
    queryFn: ({ signal }) => call("GET /api/batches/:id/progress", { params: { id }, signal }),
    refetchInterval: isWorking ? 5_000 : false,
    placeholderData: keepPreviousData,
  });

export const timelineQuery = (id: string) =>
  queryOptions({
    queryKey: ["GET /api/batches/:id/timeline", id],
    queryFn: ({ signal }) => call("GET /api/batches/:id/timeline", { params: { id }, signal }),
  });
