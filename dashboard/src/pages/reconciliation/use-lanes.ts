import { useQuery } from "@tanstack/react-query";
import { call } from "../../server/client.ts";

/** Returns the lanes, each one merchant account in one currency. Empty while they load. */
export function useLanes(): readonly string[] {
  const { data } = useQuery({
    queryKey: ["GET /api/operations"],
    queryFn: ({ signal }) => call("GET /api/operations", { signal }),
  });
  return data?.lanes.map(({ lane }) => lane) ?? [];
}
