import { notifications } from "@mantine/notifications";
import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { ApiProblem, call, type Input } from "../../../server/client.ts";
import { messages } from "./messages.tsx";

const texts = messages.pending;

/** The query key of the pending changes. */
export const PENDING_CHANGES_KEY = ["GET /api/pending-changes"];

/** The changes that wait for a second admin, or for the 24 hours of a lone admin. */
export const pendingChangesQuery = queryOptions({
  queryKey: PENDING_CHANGES_KEY,
  queryFn: ({ signal }) => call("GET /api/pending-changes", { signal }),
  refetchInterval: 30_000,
});

/** Refusals after which the change can be proposed. */
const WAITS = {
  second_admin_needed: texts.secondAdminNeeded,
  sole_admin_must_propose: texts.loneAdminWaits,
};

/**
 * Makes a change, or proposes it when it needs another admin or 24 hours. Null: the change is
 * pending.
 */
export function useChangeOrPropose() {
  const queries = useQueryClient();
  return async <T>(
    act: () => Promise<T>,
    change: Input<"POST /api/pending-changes">["body"],
  ): Promise<T | null> => {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof ApiProblem && error.code in WAITS)) throw error;
      await call("POST /api/pending-changes", { body: change });
      await queries.invalidateQueries({ queryKey: PENDING_CHANGES_KEY });
      notifications.show({ message: WAITS[error.code as keyof typeof WAITS] });
      return null;
    }
  };
}
