import { useQuery } from "@tanstack/react-query";
import { call } from "../../server/client.ts";

/** How long the display names stay current, in milliseconds. Admins rarely change them. */
const CURRENT_MS = 300_000;

/** The merchant accounts with their display names. */
export const merchantAccountsQuery = {
  queryKey: ["GET /api/merchant-accounts"],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
    call("GET /api/merchant-accounts", { signal }),
};

/**
 * Returns the display name of each lane: "INR · Main account". An account without a name is shown
 * by its code.
 */
export function useLaneName(): (lane: string) => string {
  const { data } = useQuery({ ...merchantAccountsQuery, staleTime: CURRENT_MS });
  const names = new Map(data?.items.map(({ merchant_code, name }) => [merchant_code, name]));
  return (lane) => {
    const slash = lane.lastIndexOf("/");
    const account = lane.slice(0, slash);
    return `${lane.slice(slash + 1)} · ${names.get(account) ?? account}`;
  };
}

/** The display name of a lane; its code appears on hover. */
export const LaneName = ({ lane }: { readonly lane: string }) => (
  <span title={lane}>{useLaneName()(lane)}</span>
);
