import type { Desk } from "#views/deps.ts";
import { shownTriage } from "#views/payout/triage.ts";
import type { FailureFilter, FailureGroup } from "#ledger/operations/failure-groups.ts";
import { namesOf } from "#ledger/people/names.ts";
import { payoutsTakenUp } from "#ledger/operations/assignments.ts";
import {
  causeObject,
  commentsOn,
  type FailureCause,
  isThere,
  NOBODYS,
  type Triage,
  triageOf,
} from "#ledger/operations/triage.ts";
import { amountOf } from "#money/format.ts";
import { reasonText } from "#payout/reasons.ts";

/** Maximum number of comments to show, newest first. The audit log contains all. */
const COMMENTS_MAX = 20;
/** Maximum number of payouts to list, more than anybody works through one by one. */
const PAYOUTS_MAX = 200;

/** Returns the assignments, snoozes and comments of these failure groups. */
export async function takenUp(
  { database, sealer, clock }: Desk,
  {
    groups,
    states,
    filter,
  }: {
    readonly groups: readonly FailureGroup[];
    readonly states: readonly FailureCause["state"][];
    readonly filter: FailureFilter;
  },
) {
  const now = new Date(clock.nowMs());
  const causes = Map.groupBy(groups, causeObject);
  const payouts = await payoutsTakenUp(database, sealer, states, filter, PAYOUTS_MAX);
  const [taken, comments] = await Promise.all([
    triageOf(database, [...causes.keys(), ...payouts.items.map(({ code }) => code)]),
    commentsOn(database, [...causes.keys()], COMMENTS_MAX),
  ]);
  const nameOf = await namesOf(database, [
    ...[...taken.values()].flatMap(({ snooze }) => (snooze ? [snooze.by] : [])),
    ...[...comments.values()].flat().map(({ actor }) => actor),
  ]);
  const isNarrowed = Object.values(filter).some((asked) => asked !== undefined);
  const hasChanged = async ({ snooze }: Triage, some: readonly FailureGroup[]) => {
    const [first] = some;
    if (!snooze || !first || snooze.until <= now) return false;
    if (some.some(({ newestAt }) => newestAt > snooze.seenAt)) return true;
    // Payouts that the filter excludes may have joined the failure group as well.
    return isNarrowed && (await isThere(database, first, snooze.seenAt));
  };
  const shownCauses = [...causes].flatMap(([object, some]) => {
    const [first] = some;
    const said = comments.get(object) ?? [];
    const triage = taken.get(object);
    if (!first || (!triage && said.length === 0)) return [];
    return [{ first, some, said, triage: triage ?? NOBODYS }];
  });
  return {
    assigned: await Promise.all(
      shownCauses.map(async ({ first, some, said, triage }) => ({
        state: first.state,
        reason: first.reason,
        ...shownTriage(triage, { hasChanged: await hasChanged(triage, some), now, nameOf }),
        comments: said.map(({ at, actor, text }) => ({
          at: at.toISOString(),
          by: nameOf(actor),
          text,
        })),
      })),
    ),
    payouts: payouts.items.map(({ code, state, reason, money, updatedAt }) => {
      const triage = taken.get(code) ?? NOBODYS;
      const changed = triage.snooze !== null && updatedAt > triage.snooze.seenAt;
      return {
        code,
        state,
        reason: reason === null ? null : reasonText(reason),
        ...amountOf(money),
        ...shownTriage(triage, { hasChanged: changed, now, nameOf }),
      };
    }),
    payouts_total: payouts.total,
  };
}
