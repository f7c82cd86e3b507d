import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { ApiProblem, call, type Input } from "../../client.ts";

export const PENDING = ["GET /api/pending-changes"];

/** Does it, or puts it before the other admins where it takes one of them. Null: it waits for them. */
export function useOrPropose() {
  const queries = useQueryClient();
  return async <T>(
    act: () => Promise<T>,
    change: Input<"POST /api/pending-changes">["body"],
  ): Promise<T | null> => {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof ApiProblem && error.code === "second_admin_needed")) throw error;
      await call("POST /api/pending-changes", { body: change });
      await queries.invalidateQueries({ queryKey: PENDING });
      notifications.show({ message: "Nothing has changed yet: it waits for a second admin." });
      return null;
    }
  };
}
