import type { Answer } from "../../../server/client.ts";
import {
  NOT_ASSIGNED,
  type Assignment,
} from "../../../components/payout/assignment/assignment-text.tsx";

/** The failures as the API lists them. */
export type Failures = Answer<"GET /api/failures">;

/** The payouts of a failure group in one currency and at one bank. */
export type FailureGroupLine = Failures["groups"][number];

/** The payouts of one state and reason, by currency and bank. */
export interface FailureGroup
  extends Pick<FailureGroupLine, "next_actor" | "meaning" | "next_step" | "can_retry" | "retry"> {
  readonly key: string;
  readonly state: FailureGroupLine["state"];
  readonly reason: string | null;
  readonly count: number;
  readonly oldest_at: string;
  readonly newest_at: string;
  readonly groups: readonly FailureGroupLine[];
  /** The batches with payouts of the group that can be retried, with their number in each. */
  readonly batches: readonly FailureGroupLine["batches"][number][];
  /** The batches that retry payouts of the group, with the number of its payouts in each. */
  readonly retry_batches: readonly FailureGroupLine["retry_batches"][number][];
  readonly assignment: Assignment;
  readonly comments: Failures["assigned"][number]["comments"];
}

/** Failure groups, largest first. */
export function failureGroupsOf({ groups, assigned }: Failures): FailureGroup[] {
  const keyOf = ({ state, reason }: Pick<FailureGroupLine, "state" | "reason">) =>
    `${state} ${reason ?? ""}`;
  const taken = new Map(assigned.map((each) => [keyOf(each), each]));
  const byCause = Map.groupBy(groups, keyOf);
  return [...byCause]
    .flatMap(([key, some]) => {
      // Payouts that another batch retries have no next step: the others decide.
      const first = some.find(({ can_retry }) => can_retry) ?? some[0];
      if (!first) return [];
      const { state, reason, next_actor, meaning, next_step, can_retry, retry } = first;
      const count = some.reduce((sum, group) => sum + group.count, 0);
      const times = some.flatMap(({ oldest_at, newest_at }) => [oldest_at, newest_at]).sort();
      const span = { oldest_at: times[0] ?? "", newest_at: times.at(-1) ?? "" };
      const facts = { state, reason, next_actor, meaning, next_step, can_retry, retry };
      const { comments, ...assignment } = taken.get(key) ?? { ...NOT_ASSIGNED, comments: [] };
      const retries = {
        batches: byBatch(some.flatMap(({ batches }) => batches)),
        retry_batches: byBatch(some.flatMap(({ retry_batches }) => retry_batches)),
      };
      return [{ key, ...facts, ...retries, ...span, count, groups: some, assignment, comments }];
    })
    .toSorted((one, other) => other.count - one.count);
}

/** Adds up the payouts of each batch. */
function byBatch<Batch extends { readonly batch_id: string; readonly count: number }>(
  batches: readonly Batch[],
): readonly Batch[] {
  const byId = Map.groupBy(batches, ({ batch_id }) => batch_id);
  return [...byId.values()].flatMap((same) => {
    const [first] = same;
    return first ? [{ ...first, count: same.reduce((sum, { count }) => sum + count, 0) }] : [];
  });
}

/** Returns the number of payouts of a group that no other batch retries. */
export const notRetried = ({
  count,
  retry_batches,
}: Pick<FailureGroup, "count" | "retry_batches">): number =>
  retry_batches.reduce((left, batch) => left - batch.count, count);

/** Returns the groups in the order of the list: largest, oldest or newest first. */
export function sorted(groups: readonly FailureGroup[], by: string): readonly FailureGroup[] {
  if (by === "oldest") return groups.toSorted((a, b) => byText(a.oldest_at, b.oldest_at));
  if (by === "newest") return groups.toSorted((a, b) => byText(b.newest_at, a.newest_at));
  return groups;
}

const byText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
