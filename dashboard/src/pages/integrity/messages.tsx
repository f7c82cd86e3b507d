import type { ReactNode } from "react";
import { inLanguage } from "../../base/language.ts";

const en = {
  title: "Audit log",
  download: "Download as CSV",

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
    more: (count: number) => `${count} more`,
  },

  filters: {
    actor: "User or key",
    actorHint: "name, or user:US…",
    action: "Action",
    anyAction: "any action",
    object: "Object",
    objectHint: "batch, lane, user",
    from: "From",
    to: "To",
    filter: "Filter",
    clear: "Clear",
  },

  verification: {
    title: "Verification",
    again: "Verify again",
    intact: (lines: number) => `Hash chain verified up to #${lines.toLocaleString()}`,
    intactWithCheckpoint: (lines: number) =>
      `Hash chain verified up to #${lines.toLocaleString()}, including the saved checkpoint`,
    doubtful: (why: string) => `The hash chain is intact, but ${why}`,
    broken: (line: number | string, why: string) => `The hash chain is broken at #${line}: ${why}`,
    latest: (hash: ReactNode) => (
      <>
        Latest hash {hash}. Save it outside the database, or have it e-mailed every day (Settings,
        Notifications). With a saved checkpoint, you can later detect whether entries were removed
        or the whole log was rewritten.
      </>
    ),
    whenBroken: "Pause all sending, keep the database unchanged, and compare it with a backup.",
    saved: "Saved checkpoint",
    savedExample: "48211:9f3c…",
    compare: "Compare",
  },
};

export const messages = inLanguage({ en });
