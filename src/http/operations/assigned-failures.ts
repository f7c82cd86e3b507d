import type { ServerDeps } from "#views/deps.ts";
import { assignmentView } from "#views/payout/assignment.ts";
import type { AssignmentView } from "#api/payout/assignments.ts";
import {
  failureReasonOf,
  type FailureFilter,
  type FailureGroup,
  findFailureGroups,
} from "#ledger/operations/failure-groups.ts";
import { findActorNames } from "#ledger/people/names.ts";
import { findAssignedPayouts } from "#ledger/operations/assigned-payouts.ts";
import {
  failureGroupObject,
  findComments,
  type FailureKey,
  hasPayouts,
  UNASSIGNED,
  type Assignment,
  findAssignments,
} from "#ledger/operations/failure-assignments.ts";
import { amountOf } from "#money/format.ts";
import { reasonText } from "#payout/reasons.ts";

/** Maximum number of comments to show, newest first. The audit log contains all. */
const COMMENTS_MAX = 20;
/** Maximum number of payouts to list, more than anybody works through one by one. */
const PAYOUTS_MAX = 200;

/** Returns the assignments, snoozes and comments of these failure groups. */
export async function assignmentsDocument(
  { database, sealer, clock }: ServerDeps,
  {
    groups,
    states,
    filter,
  }: {
    readonly groups: readonly FailureGroup[];
    readonly states: readonly FailureKey["state"][];
    readonly filter: FailureFilter;
  },
) {
  const now = new Date(clock.nowMs());
  const causes = Map.groupBy(groups, failureGroupObject);
  const payouts = await findAssignedPayouts(database, sealer, states, filter, PAYOUTS_MAX);
  const [taken, comments] = await Promise.all([
    findAssignments(database, [...causes.keys(), ...payouts.items.map(({ code }) => code)]),
    findComments(database, [...causes.keys()], COMMENTS_MAX),
  ]);
  const nameOf = await findActorNames(database, [
    ...[...taken.values()].flatMap(({ snooze }) => (snooze ? [snooze.by] : [])),
    ...[...comments.values()].flat().map(({ actor }) => actor),
  ]);
  const isNarrowed = Object.values(filter).some((asked) => asked !== undefined);
  const hasChanged = async ({ snooze }: Assignment, some: readonly FailureGroup[]) => {
    const [first] = some;
    if (!snooze || !first || snooze.until <= now) return false;
    if (some.some(({ newestAt }) => newestAt > snooze.seenAt)) return true;
    // Payouts that the filter excludes may have joined the failure group as well.
    return isNarrowed && (await hasPayouts(database, first, snooze.seenAt));
  };
  const shownCauses = [...causes].flatMap(([object, some]) => {
    const [first] = some;
    const said = comments.get(object) ?? [];
    const triage = taken.get(object);
    if (!first || (!triage && said.length === 0)) return [];
    return [{ first, some, said, triage: triage ?? UNASSIGNED }];
  });
  return {
    assigned: await Promise.all(
      shownCauses.map(async ({ first, some, said, triage }) => ({
        state: first.state,
        reason: first.reason,
        ...assignmentView(triage, { hasChanged: await hasChanged(triage, some), now, nameOf }),
        comments: said.map(({ at, actor, text }) => ({
          at: at.toISOString(),
          by: nameOf(actor),
          text,
        })),
      })),
    ),
    payouts: payouts.items.map(({ code, state, reason, money, updatedAt }) => {
      const triage = taken.get(code) ?? UNASSIGNED;
      const changed = triage.snooze !== null && updatedAt > triage.snooze.seenAt;
      return {
        code,
        state,
        reason: reason === null ? null : reasonText(reason),
        ...amountOf(money),
        ...assignmentView(triage, { hasChanged: changed, now, nameOf }),
      };
    }),
    payouts_total: payouts.total,
  };
}

/** The failures that a list shows by their assignments. */
interface ListedFailures {
  readonly states: readonly FailureKey["state"][];
  readonly filter: FailureFilter;
  readonly whose: "me" | "nobody" | undefined;
  readonly snoozed: "shown" | "hidden";
  /** The ID of the reader. */
  readonly me: string;
}

/**
 * Returns a function that says whether the list shows a payout: with its failure group, or as a
 * payout that is assigned individually.
 */
export async function listedPayouts(
  deps: ServerDeps,
  { states, filter, whose, snoozed, me }: ListedFailures,
): Promise<(payout: FailureKey & { readonly code: string }) => boolean> {
  if (whose === undefined && snoozed === "shown") return () => true;
  const groups = await findFailureGroups(deps.database, deps.sealer, states, filter);
  const { assigned, payouts } = await assignmentsDocument(deps, { groups, states, filter });
  const isListed = ({ assigned_to, snooze }: AssignmentView): boolean =>
    (whose === undefined || (whose === "me" ? assigned_to?.id === me : assigned_to === null)) &&
    (snoozed === "shown" || snooze === null || snooze.ended_by !== null);
  const known = new Map(assigned.map((group) => [failureGroupObject(group), isListed(group)]));
  const individual = new Set(payouts.filter(isListed).map(({ code }) => code));
  return ({ code, state, reason }) =>
    individual.has(code) ||
    (known.get(failureGroupObject({ state, reason: failureReasonOf(reason) })) ?? whose !== "me");
}
