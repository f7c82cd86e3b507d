import { queryOptions } from "@tanstack/react-query";
import { type Answer, call } from "../../server/client.ts";
import { payoutsQuery, reportQuery, type ReportsSearch } from "./search-params.ts";

export type Results = Answer<"GET /api/reports/results">;
export type Fees = Answer<"GET /api/reports/fees">;
export type Times = Answer<"GET /api/reports/times">;
export type Breaks = Answer<"GET /api/reports/breaks">;

/** Loads the results by day. */
export const resultsQuery = (search: ReportsSearch) =>
  queryOptions({
    queryKey: ["GET /api/reports/results", search],
    queryFn: ({ signal }) =>
      call("GET /api/reports/results", { query: reportQuery(search), signal }),
    placeholderData: (before) => before,
  });

/** Loads the fees by day. */
export const feesQuery = (search: ReportsSearch) =>
  queryOptions({
    queryKey: ["GET /api/reports/fees", search],
    queryFn: ({ signal }) => call("GET /api/reports/fees", { query: reportQuery(search), signal }),
    placeholderData: (before) => before,
  });

/** Loads the times to settlement by day. */
export const timesQuery = (search: ReportsSearch) =>
  queryOptions({
    queryKey: ["GET /api/reports/times", search],
    queryFn: ({ signal }) => call("GET /api/reports/times", { query: reportQuery(search), signal }),
    placeholderData: (before) => before,
  });

/** Loads the unresolved breaks by class and age. */
export const breaksQuery = (search: ReportsSearch) =>
  queryOptions({
    queryKey: ["GET /api/reports/breaks", payoutsQuery(search)],
    queryFn: ({ signal }) =>
      call("GET /api/reports/breaks", { query: payoutsQuery(search), signal }),
    placeholderData: (before) => before,
  });
