export const TABS = ["payouts", "findings", "approvals", "files", "timeline", "audit"] as const;
export type Tab = (typeof TABS)[number];

/** Which of the tabs of a batch is open, as it stands in the address. */
export function batchSearch({ tab }: Record<string, unknown>): { tab?: Tab } {
  const known = TABS.find((each) => each === tab);
  return known ? { tab: known } : {};
}
