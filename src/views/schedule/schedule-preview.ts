import { findBatch } from "#ledger/payout/batches.ts";
import {
  findOccurrences,
  findSchedules,
  type OccurrenceState,
  type StoredOccurrence,
} from "#ledger/schedule/schedules.ts";
import { type Calendar, isSameCalendar } from "#schedule/calendar.ts";
import { listCollision } from "#schedule/list-collision.ts";
import { repeatedPeriod } from "#schedule/repeated-period.ts";
import { rulePreviewDocument, type Sources } from "#views/schedule/schedule-document.ts";

const NEXT = 10;
/** Latest occurrences of an edited schedule; at most 30 days lie ahead. */
const KEPT = 50;
const PAID: ReadonlySet<OccurrenceState> = new Set(["due", "created"]);

/**
 * Previews a rule: its sentence, its next times, and why the first one may repeat payouts.
 *
 * @param rule.schedule the schedule that the rule would replace. Undefined: a new schedule.
 */
export async function previewDocument(
  {
    calendar,
    list,
    schedule,
  }: { calendar: Calendar; list: string | null; schedule: string | null },
  sources: Sources,
) {
  const { database } = sources;
  const [before] = schedule === null ? [] : await findSchedules(database, schedule);
  const stored = before
    ? ((await findOccurrences(database, [before.id], KEPT)).get(before.id) ?? [])
    : [];
  const isSame = before !== undefined && isSameCalendar(before.calendar, calendar);
  // An edit of the calendar plans again what is not due yet.
  const kept = isSame ? stored : stored.filter(({ state }) => state !== "planned");
  const preview = await rulePreviewDocument(calendar, list, NEXT, sources, kept);
  return { ...preview, collision: await collisionOf() };

  async function collisionOf(): Promise<string | null> {
    const first = firstNew(preview.next, kept);
    if (!first) return null;
    const batch = list === null ? null : await findBatch(database, { id: list });
    const reasons = [
      batch && listCollision(batch, new Date(first.at), calendar.zone),
      repeatedPeriod(calendar, {
        isNewRule:
          before !== undefined &&
          !isSameCalendar(before.calendar, { ...before.calendar, rule: calendar.rule }),
        last: kept.find(({ state }) => PAID.has(state))?.local ?? null,
        first: first.says.slice(0, 16).replace(" ", "T"),
      }),
    ];
    return reasons.filter((reason) => reason !== null).join(" ") || null;
  }
}

/** The first of the next times whose batch does not exist yet. */
const firstNew = (
  next: Awaited<ReturnType<typeof rulePreviewDocument>>["next"],
  kept: readonly StoredOccurrence[],
) => {
  const paid = new Set(
    kept.filter(({ state }) => PAID.has(state)).map(({ sendAt }) => sendAt.toISOString()),
  );
  return next.find(({ at }) => !paid.has(at));
};
