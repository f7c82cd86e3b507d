import type { Answer } from "../../../server/client.ts";
import { queryOptions } from "@tanstack/react-query";
import { call } from "../../../server/client.ts";

/** Columns and size limits of a file. They change only with the configuration. */
export const templatesQuery = queryOptions({
  queryKey: ["GET /api/templates"],
  queryFn: ({ signal }) => call("GET /api/templates", { signal }),
  staleTime: Infinity,
});

/** How the file of a batch was read, its findings and its corrections. */
export const findingsQuery = (id: string) =>
  queryOptions({
    queryKey: ["GET /api/batches/:id/findings", id],
    queryFn: ({ signal }) => call("GET /api/batches/:id/findings", { params: { id }, signal }),
  });

/** The findings of a file, and all that its page shows of the batch. */
export type FileFindings = Answer<"GET /api/batches/:id/findings">;
