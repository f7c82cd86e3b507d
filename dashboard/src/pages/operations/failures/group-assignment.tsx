import { Text } from "@mantine/core";
import { call } from "../../../server/client.ts";
import { NoteForm } from "../../../components/forms/note-form.tsx";
import {
  type AssignmentActions,
  AssignmentForms,
} from "../../../components/payout/assignment/assignment.tsx";
import { AssignmentText } from "../../../components/payout/assignment/assignment-text.tsx";
import { Timestamp } from "../../../components/timestamp.tsx";
import { queryClient } from "../../../server/query-client.ts";
import { useMay } from "../../../server/session.ts";
import type { FailureGroup } from "./failure-groups.ts";
import classes from "./group-drawer.module.css";
import { messages } from "./group-messages.ts";

const texts = messages.triage;

/** Number of comments shown; earlier ones are collapsed. */
const SHOWN = 2;

const reload = (): Promise<unknown> =>
  queryClient.invalidateQueries({ queryKey: ["GET /api/failures"] });

/** The assignment and comments of a failure group, with the forms that change them. */
export function GroupAssignment({
  of: { state, reason, next_actor: acts, meaning, assignment, comments },
  readAt,
}: {
  readonly of: FailureGroup;
  /** When the list was loaded. A snooze does not hide later changes. */
  readonly readAt: string;
}) {
  const mayOperate = useMay("operate");
  const group = { state, reason };
  const actions: AssignmentActions = {
    assign: (change) => call("PUT /api/failures/assignment", { body: { ...group, ...change } }),
    snooze:
      acts === "payrun"
        ? undefined
        : (until) =>
            call("PUT /api/failures/snooze", { body: { ...group, until, seen_at: readAt } }),
    reload,
  };
  const latest = comments.slice(0, SHOWN);
  const older = comments.slice(SHOWN);
  return (
    <div>
      <AssignmentText of={assignment} />
      {comments.length === 0 ? null : <Comments of={latest} label={texts.comments(meaning)} />}
      {older.length === 0 ? null : (
        <details>
          <summary>{texts.earlierCount(older.length)}</summary>
          <Comments of={older} label={texts.earlierComments(meaning)} />
        </details>
      )}
      {mayOperate ? (
        <details>
          <summary>{acts === "payrun" ? texts.actionsWithoutSnooze : texts.actions}</summary>
          <Text size="xs" c="dimmed" mt={4}>
            {texts.scope}
          </Text>
          <AssignmentForms of={assignment} actions={actions} />
          <NoteForm
            label={texts.comment}
            verb={texts.addComment}
            leave={async (text) => {
              await call("POST /api/failures/notes", { body: { ...group, text } });
              await reload();
            }}
          />
        </details>
      ) : null}
    </div>
  );
}

function Comments({
  of,
  label,
}: {
  readonly of: FailureGroup["comments"];
  readonly label: string;
}) {
  return (
    <ul className={classes.comments} aria-label={label}>
      {of.map(({ at, by, text }) => (
        <li key={`${at} ${by}`}>
          <p>{text}</p>
          <small>
            {by}, <Timestamp at={at} relative={false} />
          </small>
        </li>
      ))}
    </ul>
  );
}
