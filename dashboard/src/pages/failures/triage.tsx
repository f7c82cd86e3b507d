import { Text } from "@mantine/core";
import { call } from "../../client.ts";
import { NoteForm } from "../../components/note-form.tsx";
import { type Deeds, TriageForms, TriageText } from "../../components/triage.tsx";
import { When } from "../../components/when.tsx";
import { queryClient } from "../../query-client.ts";
import { useMay } from "../../session.ts";
import { plural } from "../../words.ts";
import type { CauseGroups } from "./causes.ts";
import classes from "./failures.module.css";

/** More than these stay folded. */
const SHOWN = 2;

const again = (): Promise<unknown> =>
  queryClient.invalidateQueries({ queryKey: ["GET /api/failures"] });

/** Who looks after a cause, what was said of it, and what can be done about that. */
export function TriageOfCause({
  of: { state, reason, acts, meaning, triage, comments },
  readAt,
}: {
  readonly of: CauseGroups;
  /** When the list was read: what came later is not put out of sight. */
  readonly readAt: string;
}) {
  const mayOperate = useMay("operate");
  const cause = { state, reason };
  const deeds: Deeds = {
    assign: (hands) => call("PUT /api/failures/assignment", { body: { ...cause, ...hands } }),
    snooze:
      acts === "payrun"
        ? undefined
        : (until) =>
            call("PUT /api/failures/snooze", { body: { ...cause, until, seen_at: readAt } }),
    again,
  };
  const latest = comments.slice(0, SHOWN);
  const older = comments.slice(SHOWN);
  return (
    <div>
      <TriageText of={triage} />
      {comments.length === 0 ? null : <Comments of={latest} label={`Comments: ${meaning}`} />}
      {older.length === 0 ? null : (
        <details>
          <summary>{plural(older.length, "earlier comment")}</summary>
          <Comments of={older} label={`Earlier comments: ${meaning}`} />
        </details>
      )}
      {mayOperate ? (
        <details>
          <summary>{acts === "payrun" ? "Assign, comment" : "Assign, comment, snooze"}</summary>
          <Text size="xs" c="dimmed" mt={4}>
            For all payouts of this cause, whatever batch, currency or bank.
          </Text>
          <TriageForms of={triage} deeds={deeds} />
          <NoteForm
            label="Comment"
            verb="Leave the comment"
            leave={async (text) => {
              await call("POST /api/failures/notes", { body: { ...cause, text } });
              await again();
            }}
          />
        </details>
      ) : null}
    </div>
  );
}

function Comments({ of, label }: { readonly of: CauseGroups["comments"]; readonly label: string }) {
  return (
    <ul className={classes.comments} aria-label={label}>
      {of.map(({ at, by, text }) => (
        <li key={`${at} ${by}`}>
          <p>{text}</p>
          <small>
            {by}, <When at={at} relative={false} />
          </small>
        </li>
      ))}
    </ul>
  );
}
