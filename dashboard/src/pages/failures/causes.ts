import type { Answer } from "../../client.ts";

export type FailureGroup = Answer<"GET /api/failures">["groups"][number];

/** The groups of one cause: everything but currency and bank is the same. */
export interface CauseGroups extends Pick<FailureGroup, "acts" | "meaning" | "todo" | "again"> {
  readonly key: string;
  readonly state: FailureGroup["state"];
  readonly reason: string | null;
  readonly count: number;
  readonly groups: readonly FailureGroup[];
}

/** The largest first. */
export function causesOf(groups: readonly FailureGroup[]): CauseGroups[] {
  const byCause = Map.groupBy(groups, ({ state, reason }) => `${state} ${reason ?? ""}`);
  return [...byCause]
    .flatMap(([key, some]) => {
      const [first] = some;
      if (!first) return [];
      const { state, reason, acts, meaning, todo, again } = first;
      const count = some.reduce((sum, group) => sum + group.count, 0);
      return [{ key, state, reason, acts, meaning, todo, again, count, groups: some }];
    })
    .toSorted((one, other) => other.count - one.count);
}
