import { findBatch } from "#ledger/payout/batches.ts";
import { findEditedOccurrences } from "#ledger/schedule/edits.ts";
import {
  findOccurrences,
  findSchedules,
  type OccurrenceState,
  type StoredOccurrence,
} from "#ledger/schedule/schedules.ts";
import { type Calendar, isSameCalendar } from "#schedule/calendar.ts";
import { type EditPlan, planEdit } from "#schedule/edit-plan.ts";
import { listCollision } from "#schedule/list-collision.ts";
import { rulePreviewDocument, type Sources } from "#views/schedule/schedule-document.ts";

const NEXT = 10;
/** Latest occurrences of an edited schedule; at most 30 days lie ahead. */
const KEPT = 50;
const PAID: ReadonlySet<OccurrenceState> = new Set(["due", "created"]);

interface PreviewedRule {
  readonly calendar: Calendar;
  readonly list: string | null;
  /** The schedule that is being edited. Null: a new schedule. */
  readonly schedule: string | null;
  /** The edited lead time. Null: it stays. */
  readonly leadHours: number | null;
}

/** Previews a rule: its sentence, its next times, and why it may repeat payouts or skip one. */
export async function previewDocument(rule: PreviewedRule, sources: Sources) {
  const { calendar, list } = rule;
  const { stored, plan } = await editOf(rule, sources);
  const kept = plan
    ? [...plan.reached.map(dueOf), ...stored.filter(({ state }) => state !== "planned")]
    : stored;
  const preview = await rulePreviewDocument(calendar, list, NEXT, sources, kept);
  const first = firstNew(preview.next, kept);
  const batch = list === null ? null : await findBatch(sources.database, { id: list });
  return {
    ...preview,
    collision: batch && first ? listCollision(batch, new Date(first.at), calendar.zone) : null,
    repeats: plan?.repeats ?? null,
    skips: plan?.skips ?? null,
  };
}

interface Edit {
  readonly stored: readonly StoredOccurrence[];
  /** Null: the times stay. */
  readonly plan: EditPlan | null;
}
const NEW_SCHEDULE: Edit = { stored: [], plan: null };

async function editOf(
  { schedule: id, calendar, leadHours }: PreviewedRule,
  { database, bankDays }: Sources,
): Promise<Edit> {
  const [before] = id === null ? [] : await findSchedules(database, id);
  if (!before) return NEW_SCHEDULE;
  const stored = (await findOccurrences(database, [before.id], KEPT)).get(before.id) ?? [];
  const isSameLead = leadHours === null || leadHours === before.leadHours;
  if (isSameLead && isSameCalendar(before.calendar, calendar)) return { stored, plan: null };
  const edited = { ...before, since: before.updatedAt, isActive: before.state === "active" };
  const occurrences = await findEditedOccurrences(database, before.id, false);
  return { stored, plan: planEdit(edited, occurrences, calendar, bankDays.holidays) };
}

/** An occurrence of the stored rule that the edit makes due, because its time has come. */
const dueOf = ({ at, ...occurrence }: EditPlan["reached"][number]): StoredOccurrence => ({
  ...occurrence,
  sendAt: at,
  makeAt: at,
  state: "due",
  batchId: null,
  why: null,
  amounts: null,
});

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
