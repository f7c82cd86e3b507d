import { inLanguage } from "../../base/language.ts";

const en = {
  log: {
    title: "Entries",
    caption: "Audit log entries, newest first",
    noMatch: "No entries match these filters.",
    empty: "The audit log is empty.",
    line: "Line",
    at: "Time",
    actor: "User or key",
    action: "Action",
    object: "Object",
    facts: "Details",
    list: "Show list",
    more: (count: number) => `${count} more`,
  },

  ofBatch: {
    order: "Newest first.",
    filter: "Filter entries and verify the log",
    caption: "Audit log for this batch, newest first",
    empty: "The audit log has no entries for this batch.",
  },

  filters: {
    actor: "User or key",
    actorHint: "name, or user:US…",
    action: "Action",
    anyAction: "any action",
    object: "Object: batch, lane or user",
    time: "Time",
  },
};

export const messages = inLanguage({ en });
