import { queryOptions } from "@tanstack/react-query";
import { call } from "../../client.ts";

/** What a file may hold, and how much of it: it changes with the configuration alone. */
export const templatesQuery = queryOptions({
  queryKey: ["GET /api/templates"],
  queryFn: ({ signal }) => call("GET /api/templates", { signal }),
  staleTime: Infinity,
});

/** How the file of a batch was read, what was found in it, and how it was corrected. */
export const findingsQuery = (id: string) =>
  queryOptions({
    queryKey: ["GET /api/batches/:id/findings", id],
    queryFn: ({ signal }) => call("GET /api/batches/:id/findings", { params: { id }, signal }),
  });

/** As long as the server lets a name or a purpose be. */
export const DESCRIPTION_CHARS_MAX = 200;
