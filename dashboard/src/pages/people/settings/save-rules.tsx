import { notifications } from "@mantine/notifications";
import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Input } from "../../../server/client.ts";
import { ActionForm } from "../../../components/forms/action-form.tsx";
import { useChangeOrPropose } from "./change-or-propose.ts";
import { messages } from "./messages.tsx";
import classes from "./save-rules.module.css";

/**
 * Saves rules or limits, or proposes them to another admin. While the form has unsaved changes, the
 * button stays at the bottom of the window.
 */
export function SaveRules<Saved>({
  verb,
  isValid,
  isChanged = isValid,
  put,
  change,
  queryKey,
  says,
}: {
  readonly verb: string;
  readonly isValid: boolean;
  /** Whether the form has changes that are not saved. By default, if they can be saved. */
  readonly isChanged?: boolean;
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
  return (
    <div className={classes.bar} data-changed={isChanged || undefined}>
      {isChanged ? (
        <span role="status" className={classes.note}>
          {messages.unsaved}
        </span>
      ) : null}
      <ActionForm action={save} verb={verb} disabled={!isValid} narrow />
    </div>
  );
}
