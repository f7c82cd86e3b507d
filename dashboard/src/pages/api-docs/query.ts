import { queryOptions } from "@tanstack/react-query";
import { call } from "../../server/client.ts";
import { apiDocsOf, type OpenApiDocument } from "./description.ts";

/** Loads the description of the API. It changes only with the version of the server. */
export const apiDocsQuery = queryOptions({
  queryKey: ["GET /api/openapi.json"],
  queryFn: ({ signal }) => call("GET /api/openapi.json", { signal }),
  staleTime: Infinity,
  select: (document) => apiDocsOf(document as unknown as OpenApiDocument, location.origin),
});
