import { EXACT_DUPLICATE_DAYS } from "#intake/batch/exact-duplicates.ts";
import { type Batch, findBatch } from "#ledger/payout/batches.ts";
import { findEditedOccurrences } from "#ledger/schedule/edits.ts";
import { findSendTimes } from "#ledger/schedule/send-times.ts";
import {
  findOccurrences,
  findSchedules,
  type OccurrenceState,
  type StoredOccurrence,
} from "#ledger/schedule/schedules.ts";
import { type Calendar, isSameCalendar } from "#schedule/calendar.ts";
import { type EditPlan, planEdit } from "#schedule/edit-plan.ts";
import { listCollision } from "#schedule/list-collision.ts";
import { localAt, momentText } from "#schedule/local-time.ts";
import {
  listedBatch,
  rulePreviewDocument,
  type Sources,
} from "#views/schedule/schedule-document.ts";

const NEXT = 10;
/** Latest occurrences of an edited schedule; at most 30 days lie ahead. */
const KEPT = 50;
const HOUR_MS = 3_600_000;
/** The lead time of a new schedule, unless its author chooses another one. */
const LEAD_HOURS = 24;
const PAID: ReadonlySet<OccurrenceState> = new Set(["due", "created"]);

interface PreviewedRule {
  readonly calendar: Calendar;
  readonly list: string | null;
  /** The schedule that is being edited. Null: a new schedule. */
  readonly schedule: string | null;
  /** The lead time. Null: that of the edited schedule, or the default. */
  readonly leadHours: number | null;
}

/** Previews a rule: its sentence, its next times, and why it may repeat payouts or skip one. */
export async function previewDocument(rule: PreviewedRule, sources: Sources) {
  const { calendar, list } = rule;
  const { stored, plan, leadHours } = await editOf(rule, sources);
  const kept = plan
    ? [...plan.reached.map(dueOf), ...stored.filter(({ state }) => state !== "planned")]
    : stored;
  const preview = await rulePreviewDocument(calendar, list, NEXT, sources, kept);
  const first = firstNew(preview.next, kept);
  const batch = list === null ? null : await findBatch(sources.database, { id: list });
  return {
    ...preview,
    ...(batch && first
      ? await firstBatchDocument(batch, first, { zone: calendar.zone, leadHours, sources })
      : { first_batch: null, collision: null }),
    repeats: plan?.repeats ?? null,
    skips: plan?.skips ?? null,
  };
}

/** Describes the first batch from a list, and why it may repeat payouts of that list. */
async function firstBatchDocument(
  batch: Batch,
  { at, says }: { readonly at: string; readonly says: string },
  {
    zone,
    leadHours,
    sources,
  }: { readonly zone: string; readonly leadHours: number; readonly sources: Sources },
) {
  const created = firstCreation(new Date(at), leadHours, sources.now);
  const createdSays = created.isNow ? null : zonedText(created.at, zone);
  return {
    first_batch: { ...listedBatch(batch), says, created_says: createdSays },
    collision: await collisionOf(batch, created.at, zone, sources),
  };
}

/** Returns when the batch of a send time is created: its lead time before, or now. */
function firstCreation(sendAt: Date, leadHours: number, now: Date) {
  const planned = new Date(sendAt.getTime() - leadHours * HOUR_MS);
  const isNow = planned.getTime() <= now.getTime();
  return { isNow, at: isNow ? now : planned };
}

function zonedText(at: Date, zone: string): string {
  const { date, time } = localAt(at, zone);
  return momentText({ local: `${date.toString()}T${time}`, zone });
}

/** Returns why a batch created then may repeat payouts of the batch whose rows it pays. */
async function collisionOf(batch: Batch, createdAt: Date, zone: string, { database }: Sources) {
  const send = (await findSendTimes(database, [batch.id])).get(batch.id);
  const times = [batch.approvedAt, batch.approvedAt && (send?.releasedAt ?? send?.at)];
  const sent = times.flatMap((at) => (at ? at.getTime() : []));
  const sentAt = sent.length === 0 ? null : new Date(Math.max(...sent));
  const { id, state } = batch;
  return listCollision(
    { id, state, sentAt },
    { createdAt, zone, duplicateDays: EXACT_DUPLICATE_DAYS },
  );
}

interface Edit {
  readonly leadHours: number;
  readonly stored: readonly StoredOccurrence[];
  /** Null: the times stay. */
  readonly plan: EditPlan | null;
}

async function editOf(
  { schedule: id, calendar, leadHours: given }: PreviewedRule,
  { database, bankDays }: Sources,
): Promise<Edit> {
  const [before] = id === null ? [] : await findSchedules(database, id);
  const leadHours = given ?? before?.leadHours ?? LEAD_HOURS;
  if (!before) return { leadHours, stored: [], plan: null };
  const stored = (await findOccurrences(database, [before.id], KEPT)).get(before.id) ?? [];
  const isSameLead = leadHours === before.leadHours;
  if (isSameLead && isSameCalendar(before.calendar, calendar))
    return { leadHours, stored, plan: null };
  const edited = { ...before, since: before.updatedAt, isActive: before.state === "active" };
  const occurrences = await findEditedOccurrences(database, before.id, false);
  return { leadHours, stored, plan: planEdit(edited, occurrences, calendar, bankDays.holidays) };
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
