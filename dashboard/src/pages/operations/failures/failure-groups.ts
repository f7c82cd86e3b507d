import type { Answer } from "../../../server/client.ts";
import { NOBODYS, type Triage } from "../../../components/payout/assignment.tsx";

type Failures = Answer<"GET /api/failures">;
export type FailureGroup = Failures["groups"][number];

/** The payouts of one state and reason, by currency and bank. */
export interface CauseGroups extends Pick<FailureGroup, "acts" | "meaning" | "todo" | "can_retry"> {
  readonly key: string;
  readonly state: FailureGroup["state"];
  readonly reason: string | null;
  readonly count: number;
  readonly groups: readonly FailureGroup[];
  readonly triage: Triage;
  readonly comments: Failures["assigned"][number]["comments"];
}

/** Failure groups, largest first. */
export function causesOf({ groups, assigned }: Failures): CauseGroups[] {
  const keyOf = ({ state, reason }: Pick<FailureGroup, "state" | "reason">) =>
    `${state} ${reason ?? ""}`;
  const taken = new Map(assigned.map((each) => [keyOf(each), each]));
  const byCause = Map.groupBy(groups, keyOf);
  return [...byCause]
    .flatMap(([key, some]) => {
      const [first] = some;
      if (!first) return [];
      const { state, reason, acts, meaning, todo, can_retry } = first;
      const count = some.reduce((sum, group) => sum + group.count, 0);
      const told = { state, reason, acts, meaning, todo, can_retry };
      const { comments, ...triage } = taken.get(key) ?? { ...NOBODYS, comments: [] };
      return [{ key, ...told, count, groups: some, triage, comments }];
    })
    .toSorted((one, other) => other.count - one.count);
}
