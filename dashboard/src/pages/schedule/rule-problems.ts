import { ApiProblem } from "../../server/client.ts";
import { messages } from "./messages.tsx";
import type { Frequency } from "./schedule-draft.ts";

const texts = messages.form;

const NEEDS: Partial<Record<Frequency, string>> = texts.needs;

/** The problems that the server finds in an incomplete rule. */
export function problemsOf(error: Error | null, every: Frequency): string {
  const places = error instanceof ApiProblem ? (error.document.places ?? []) : [];
  const problems = places.map(({ place, message }) =>
    place === "body.calendar.rule.from"
      ? texts.needsFirstWeek
      : place.startsWith("body.calendar.rule")
        ? NEEDS[every]
        : place === "body.calendar.zone"
          ? texts.needsZone
          : message,
  );
  return [...new Set(problems)].filter(Boolean).join("; ");
}
