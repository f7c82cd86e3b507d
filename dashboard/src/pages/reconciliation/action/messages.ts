import { counted, inLanguage } from "../../../base/language.ts";

const breaks = (count: number) => counted(count, "break", "breaks");

const en = {
  loading: "Action on breaks",
  missing: "Action not found",
  missingText: "There is no action on breaks at this address. payrun deletes unused previews.",
  unused: "Preview that was not applied",
  result: "Result",
  previewed: (count: number) => `${breaks(count)} previewed`,
  changedAll: "Every previewed break was changed.",
  left: (count: number) => `Changed after the preview, so left: ${breaks(count)}`,
  excluded: (count: number) => `Selected, but not in the preview: ${breaks(count)}`,
  by: "By",
  at: "Previewed at",
  appliedAt: "Applied at",
  assignee: "Assigned to",
  nobody: "Nobody (assignment removed)",
  digest: "SHA-256 of the preview",
  rows: "Selected breaks, as they are now",
  outcome: "Outcome",
  changedSince: "Its values have changed since.",
  noRows: "The action has no breaks.",

  recent: {
    title: "Actions on several breaks",
    action: "Action",
    by: "By",
    at: "Applied at",
    left: "Left out",
  },
};

export const messages = inLanguage({ en });
