import { iso } from "#views/approval/approval-state.ts";
import type { RecordedAction } from "#ledger/payout/search/payout-page.ts";
import type { TimelineEntry } from "#payout/timeline.ts";

const ACTION_TITLES: Readonly<Record<string, string>> = {
  query_status: "Status query requested",
  reveal: "Full account number viewed",
  note: "Note added",
  propose_resolution: "Result proposed",
  refuse_resolution: "Proposed result rejected",
  resolve_payout: "Proposed result confirmed",
  // Actions of lines from before migrations 0053 and 0057.
  propose_closing: "Result proposed",
  refuse_closing: "Proposed result rejected",
  close_payout: "Proposed result confirmed",
  ask: "Status query requested",
  propose_end_wait: "End of the wait proposed",
  end_wait: "End of the wait confirmed",
  refuse_end_wait: "End of the wait rejected",
  assign: "Assigned",
  snooze: "Snoozed",
  download_payout_evidence: "Evidence pack downloaded",
};

const titleOf = (
  { action, to, until }: RecordedAction,
  nameOf: (actor: string) => string,
): string => {
  if (action === "assign" && to === null) return "Assignment removed";
  if (action === "snooze" && until === null) return "Snooze ended";
  if (action === "assign" && to !== null) return `Assigned to ${nameOf(to)}`;
  return ACTION_TITLES[action] ?? action.replaceAll("_", " ");
};

/** Returns the entry of the history for an action of a person. */
export const actionEntry = (
  note: RecordedAction,
  nameOf: (actor: string) => string,
): TimelineEntry => ({
  at: note.at,
  kind: "person",
  title: titleOf(note, nameOf),
  text: note.text ?? (note.until && `until ${iso(note.until)}`),
  actor: note.actor,
  tone: "plain",
  facts: [],
});
