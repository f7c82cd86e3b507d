import type { Answer } from "../../../server/client.ts";
import { Timestamp } from "../../timestamp.tsx";
import classes from "./assignment.module.css";
import { messages } from "./assignment-messages.tsx";

const { assignment, snooze: snoozeTexts } = messages;

/** The operator of a payout or failure group, and until when it is snoozed. */
export type Assignment = Pick<
  Answer<"GET /api/failures">["assigned"][number],
  "assigned_to" | "snooze"
>;

/** The state of a payout or failure group without an operator or a snooze. */
export const NOT_ASSIGNED: Assignment = { assigned_to: null, snooze: null };

/** Hidden from the list for now. It returns by itself. */
export const isSnoozed = ({ snooze }: Assignment): boolean =>
  snooze !== null && snooze.ended_by === null;

/** The assigned operator, and whether it is snoozed. */
export function AssignmentText({
  of: { assigned_to, snooze },
  groupOwner = null,
}: {
  readonly of: Assignment;
  /** The operator of the whole failure group. */
  readonly groupOwner?: string | null;
}) {
  return (
    <>
      <p className={classes.facts}>
        {assigned_to === null && groupOwner !== null ? (
          assignment.groupOwner(<strong>{groupOwner}</strong>)
        ) : assigned_to === null ? (
          assignment.nobody
        ) : (
          <>
            {assignment.owner(<strong>{assigned_to.name}</strong>)}
            {assigned_to.is_active ? null : ` ${assignment.disabled}`}
          </>
        )}
      </p>
      {snooze === null ? null : snooze.ended_by === null ? (
        <p className={classes.facts}>
          {snoozeTexts.until(<Timestamp at={snooze.until} relative={false} />, snooze.by)}
        </p>
      ) : (
        <p className={`${classes.facts} ${classes.back}`}>{snoozeTexts.back[snooze.ended_by]}</p>
      )}
    </>
  );
}
