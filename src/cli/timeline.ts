import type { PayoutView } from "#api/payouts.ts";
import { table } from "#cli/output.ts";

/** What has happened, a line each: when, what, and all that is on record about it. */
export const timelineTable = (timeline: PayoutView["timeline"]): string =>
  table(
    timeline.map(({ at, title, text, actor: by, facts }) => {
      const details = facts.map(({ name, value }) => `${name}=${value}`);
      return [at, title, [text, by, details.join(" ")].filter(Boolean).join(" · ")];
    }),
  );
