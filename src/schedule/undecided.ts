import type { Calendar } from "#schedule/calendar.ts";
import {
  type Occurrence,
  type OccurrencePosition,
  occurrencesSince,
} from "#schedule/next-occurrences.ts";
import type { Holidays } from "#schedule/working-days.ts";

/** An occurrence about which a person must decide. `planned`: it is not due yet. */
export interface UndecidedOccurrence extends Occurrence {
  readonly state: "missed" | "failed" | "planned";
}

/** A decision that was made before its occurrence is due. */
export interface OccurrenceDecision extends Pick<Occurrence, "day" | "local" | "zone"> {
  readonly decision: "create" | "skip";
}

/** The recorded occurrences and decisions of one schedule. */
export interface OccurrenceRecord {
  /** Those that are missed, failed or planned, by day. */
  readonly open: readonly UndecidedOccurrence[];
  /** Position of the last occurrence. Null: there is none. */
  readonly last: OccurrencePosition | null;
  /** The decisions since the last freeze. */
  readonly decisions: readonly OccurrenceDecision[];
  /** Last send time that needs a decision after a restore. Null: the ledger was never frozen. */
  readonly until: Date | null;
}

/** Returns the decision about this occurrence at this time. Undefined: there is none. */
const decisionOn = (
  { day, local, zone }: Pick<Occurrence, "day" | "local" | "zone">,
  decisions: readonly OccurrenceDecision[],
): OccurrenceDecision | undefined =>
  decisions.find((each) => each.day === day && each.local === local && each.zone === zone);

/** Returns whether a person decided to skip this occurrence at this time. */
export const isSkipped = (
  occurrence: Pick<Occurrence, "day" | "local" | "zone">,
  decisions: readonly OccurrenceDecision[],
): boolean => decisionOn(occurrence, decisions)?.decision === "skip";

/**
 * Returns the occurrences of a schedule that need a decision, by day: those without a batch, and
 * after a restore also the coming ones that the lost history may have paid.
 */
export function undecidedOccurrences(
  schedule: { readonly calendar: Calendar; readonly isActive: boolean; readonly since: Date },
  { open, last, decisions, until }: OccurrenceRecord,
  holidays: Holidays,
): readonly UndecidedOccurrence[] {
  const without = open.filter(({ state }) => state !== "planned");
  if (until === null || !schedule.isActive) return without;
  const coming = occurrencesSince(schedule.calendar, { since: schedule.since, last }, holidays).map(
    (occurrence) => ({ ...occurrence, state: "planned" as const }),
  );
  const planned = [...open.filter(({ state }) => state === "planned"), ...upTo(until, coming)];
  return [
    ...without,
    ...planned.filter((each) => each.at <= until && !decisionOn(each, decisions)),
  ];
}

function* upTo<Each extends Occurrence>(until: Date, all: Iterable<Each>): Generator<Each> {
  for (const each of all) {
    if (each.at > until) return;
    yield each;
  }
}
