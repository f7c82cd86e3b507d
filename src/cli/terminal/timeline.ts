import type { PayoutView } from "#api/payout/payouts.ts";
import { table } from "#cli/terminal/output.ts";

/** Formats the history with one line per event: time, event, and all recorded facts. */
export const timelineTable = (timeline: PayoutView["timeline"]): string =>
  table(
    timeline.map(({ at, title, text, actor: by, facts }) => {
      const details = facts.map(({ name, value }) => `${name}=${value}`);
      return [at, title, [text, by, details.join(" ")].filter(Boolean).join(" · ")];
    }),
  );
