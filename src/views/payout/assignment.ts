import type { AssignmentView as Shown } from "#api/payout/assignments.ts";
import type { Assignment } from "#ledger/operations/failure-assignments.ts";

/**
 * Returns the assignment and snooze of a failure as the API shows them.
 *
 * @param hasChanged whether something differs from what the user saw when they snoozed it.
 */
export function assignmentView(
  { assignedTo, snooze: snoozed }: Assignment,
  {
    hasChanged,
    now,
    nameOf,
  }: {
    readonly hasChanged: boolean;
    readonly now: Date;
    readonly nameOf: (actor: string) => string;
  },
): Shown {
  return {
    assigned_to: assignedTo && {
      id: assignedTo.id,
      name: assignedTo.name,
      is_active: assignedTo.isActive,
    },
    snooze: snoozed && {
      until: snoozed.until.toISOString(),
      by: nameOf(snoozed.by),
      ended_by: snoozed.until <= now ? "day" : hasChanged ? "change" : null,
    },
  };
}
