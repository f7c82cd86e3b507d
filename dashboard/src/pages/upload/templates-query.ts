import { queryOptions } from "@tanstack/react-query";
import { call } from "../../client.ts";

/** What a file may hold, and how much of it: it changes with the configuration alone. */
export const templatesQuery = queryOptions({
  queryKey: ["GET /api/templates"],
  queryFn: ({ signal }) => call("GET /api/templates", { signal }),
  staleTime: Infinity,
});
