/** The tabs of a batch page, in order. */
export const TABS = ["payouts", "findings", "approvals", "files", "timeline", "audit"] as const;

/** A tab of a batch page, as in the URL. */
export type Tab = (typeof TABS)[number];

/** Reads the open tab of a batch page from the URL. */
export function batchSearch({ tab }: Record<string, unknown>): { tab?: Tab } {
  const known = TABS.find((each) => each === tab);
  return known ? { tab: known } : {};
}
