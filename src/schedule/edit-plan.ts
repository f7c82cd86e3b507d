import { type Calendar, isSameCalendar } from "#schedule/calendar.ts";
import { type LocalMoment, momentText } from "#schedule/local-time.ts";
import {
  laterPosition,
  type Occurrence,
  type OccurrencePosition,
  occurrencesSince,
} from "#schedule/next-occurrences.ts";
import { repeatedPeriod } from "#schedule/repeated-period.ts";
import { nextOccurrence } from "#schedule/schedule.ts";
import type { Holidays } from "#schedule/working-days.ts";

/** A schedule before an edit of its times. */
export interface EditedSchedule {
  readonly calendar: Calendar;
  readonly leadHours: number;
  /** Time from which its occurrences are planned. */
  readonly since: Date;
  /** False: it is paused, so no occurrence of the stored rule becomes due. */
  readonly isActive: boolean;
}

/** The occurrences of a schedule in the ledger, as far as an edit depends on them. */
export interface StoredOccurrences {
  /**
   * Position of those that are no longer planned. A skipped one counts, because somebody may have
   * paid its period in another way. Null: there is none.
   */
  readonly last: OccurrencePosition | null;
  readonly planned: (Occurrence & { readonly createAt: Date }) | null;
  /** Days between the last two that have a batch. 0: there are no two. */
  readonly gapDays: number;
  /** Day of the first one that is due, missed or failed. Null: there is none. */
  readonly undecided: string | null;
  /** Current time of the ledger. */
  readonly now: Date;
}

/** An effect that the editor must confirm. */
interface ConfirmedEffect {
  /** The local date that the editor confirms. */
  readonly day: string;
  /** The effect, as a sentence. */
  readonly why: string;
}

/** The effect of an edit on the occurrences of a schedule. */
export interface EditPlan {
  /** Occurrences of the stored rule that are due already. They keep their times. */
  readonly reached: readonly Occurrence[];
  /** Day of the first occurrence that is due or missed and has no batch. Null: there is none. */
  readonly undecided: string | null;
  /** The first occurrence of the edited rule. */
  readonly next: Occurrence | null;
  /** The next occurrence, if it may pay a period again. */
  readonly repeats: ConfirmedEffect | null;
  /** The planned occurrence that no longer takes place. */
  readonly skips: ConfirmedEffect | null;
}

const HOUR_MS = 3_600_000;

/** Plans the edit of a schedule's calendar. The preview and the edit itself both use this plan. */
export function planEdit(
  before: EditedSchedule,
  stored: StoredOccurrences,
  calendar: Calendar,
  holidays: Holidays,
): EditPlan {
  const { now } = stored;
  const { reached, dropped } = settleStoredRule(before, stored, holidays);
  const last = reached.reduce<OccurrencePosition | null>(
    (position, each) => (position ? laterPosition(position, each) : each),
    stored.last,
  );
  const next = nextOccurrence(calendar, { since: now, last }, holidays);
  const isSameRule = isSameCalendar(before.calendar, { ...before.calendar, rule: calendar.rule });
  const repeats =
    next && last && !isSameRule
      ? repeatedPeriod(
          { before: before.calendar.rule, after: calendar.rule, gapDays: stored.gapDays },
          { last: last.local, first: next.local },
        )
      : null;
  const skips = dropped && (!next || next.day > dropped.day) ? skippedText(dropped, next) : null;
  const undecided = stored.undecided ?? reached[0]?.day ?? null;
  return {
    reached,
    undecided,
    next,
    repeats: effectOn(next, repeats),
    skips: effectOn(dropped, skips),
  };
}

const effectOn = (moment: LocalMoment | null, why: string | null): ConfirmedEffect | null =>
  moment && why !== null ? { day: moment.local.slice(0, 10), why } : null;

/** Divides the occurrences of the stored rule into those that are due, and the one after them. */
function settleStoredRule(
  { isActive, ...before }: EditedSchedule,
  { last, planned, now }: StoredOccurrences,
  holidays: Holidays,
): { readonly reached: readonly Occurrence[]; readonly dropped: Occurrence | null } {
  const reached: Occurrence[] = [];
  if (!isActive) return { reached, dropped: null };
  if (planned && planned.createAt > now) return { reached, dropped: planned };
  const { calendar, leadHours, since } = before;
  if (planned) reached.push(planned);
  for (const each of occurrencesSince(calendar, { since, last: planned ?? last }, holidays)) {
    if (each.at.getTime() - leadHours * HOUR_MS > now.getTime()) return { reached, dropped: each };
    reached.push(each);
  }
  return { reached, dropped: null };
}

const skippedText = (dropped: Occurrence, next: Occurrence | null): string =>
  `The occurrence planned for ${momentText(dropped)} will not take place. ${
    next ? `The next one is ${momentText(next)}.` : "There is no later one."
  }`;
