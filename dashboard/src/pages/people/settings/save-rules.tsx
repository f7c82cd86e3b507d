import { notifications } from "@mantine/notifications";
import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Input } from "../../../server/client.ts";
import { ActionForm } from "../../../components/forms/action-form.tsx";
import { useChangeOrPropose } from "./change-or-propose.ts";

/** Saves rules or limits, or proposes them to another admin. */
export function SaveRules<Saved>({
  verb,
  isValid,
  put,
  change,
  queryKey,
  says,
}: {
  readonly verb: string;
  readonly isValid: boolean;
  readonly put: () => Promise<Saved>;
  /** The change that another admin confirms. */
  readonly change: Input<"POST /api/pending-changes">["body"];
  /** The query whose data the page edits. */
  readonly queryKey: QueryKey;
  readonly says: string;
}) {
  const client = useQueryClient();
  const orPropose = useChangeOrPropose();
  const save = useMutation({
    mutationFn: () => orPropose(put, change),
    onSuccess: (saved) => {
      if (!saved) return;
      client.setQueryData(queryKey, saved);
      notifications.show({ message: says });
    },
  });
  return <ActionForm action={save} verb={verb} disabled={!isValid} narrow />;
}
