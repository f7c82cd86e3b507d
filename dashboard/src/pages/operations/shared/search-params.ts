/** The tabs of the operations page, in order. */
export const TABS = ["health", "lanes", "workers", "breakers", "events"] as const;

/** A tab of the operations page, as in the URL. */
export type Tab = (typeof TABS)[number];

/** The open tab, and the lane that the charts show. */
interface OperationsSearch {
  readonly tab?: Tab;
  readonly lane?: string;
}

/** Reads the tab and the lane from the URL. */
export function operationsSearch({ tab, lane }: Record<string, unknown>): OperationsSearch {
  const known = TABS.find((each) => each === tab);
  return {
    ...(known ? { tab: known } : {}),
    ...(typeof lane === "string" && lane !== "" ? { lane } : {}),
  };
}
