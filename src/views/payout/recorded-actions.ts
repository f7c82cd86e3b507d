import { iso } from "#views/approval/approval-state.ts";
import type { RecordedAction } from "#ledger/payout/search/payout-page.ts";
import type { TimelineEntry } from "#payout/timeline.ts";

const ACTION_TITLES: Readonly<Record<string, string>> = {
  query_status: "Status queried manually",
  reveal: "Full account number viewed",
  note: "Note",
  propose_resolution: "Result recorded",
  refuse_resolution: "Recorded result rejected",
  resolve_payout: "Recorded result confirmed",
  // Actions of lines from before migrations 0053 and 0057.
  propose_closing: "Result recorded",
  refuse_closing: "Recorded result rejected",
  close_payout: "Recorded result confirmed",
  ask: "Status queried manually",
  propose_end_wait: "Proposal to end the wait recorded",
  end_wait: "Proposal to end the wait confirmed",
  refuse_end_wait: "Proposal to end the wait rejected",
  assign: "Assigned",
  snooze: "Snoozed",
  download_payout_evidence: "Evidence pack downloaded",
};

const titleOf = ({ action, to, until }: RecordedAction): string => {
  if (action === "assign" && to === null) return "Assignment removed";
  if (action === "snooze" && until === null) return "Snooze ended";
  return ACTION_TITLES[action] ?? action;
};

/** Returns the entry of the history for an action of a person. */
export const actionEntry = (
  note: RecordedAction,
  nameOf: (actor: string) => string,
): TimelineEntry => ({
  at: note.at,
  kind: "person",
  title: titleOf(note),
  text: note.text ?? (note.to && nameOf(note.to)) ?? (note.until && `until ${iso(note.until)}`),
  actor: note.actor,
  tone: "plain",
  facts: [],
});
