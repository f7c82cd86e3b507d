import { findBatch } from "#ledger/payout/batches.ts";
import type { Database } from "#ledger/store/database.ts";
import { findDecisions, type ScheduleDecisions } from "#ledger/schedule/decisions.ts";
import {
  type StoredOccurrence,
  type OccurrenceState,
  findOccurrences,
  type Schedule,
  findSchedules,
} from "#ledger/schedule/schedules.ts";
import type { Calendar } from "#schedule/calendar.ts";
import { type BankDays, findMissedCutOffs } from "#schedule/cut-offs.ts";
import { momentText } from "#schedule/local-time.ts";
import {
  afterDayOf,
  laterPosition,
  type Occurrence,
  occurrencesAfter,
  positionAt,
} from "#schedule/next-occurrences.ts";
import { isSkipped, type OccurrenceDecision } from "#schedule/undecided.ts";
import { ruleSentence } from "#schedule/rule-sentence.ts";

/** The sources of the documents about schedules. */
export interface Sources {
  readonly database: Database;
  readonly bankDays: BankDays;
  readonly now: Date;
}

const NEXT = 5;

/**
 * Returns all schedules, or the one with this ID, as shown by the API and the command line, each
 * with the given number of occurrences.
 */
export async function scheduleDocuments(id: string | null, occurrences: number, sources: Sources) {
  const found = await findSchedules(sources.database, id);
  const ids = found.map((schedule) => schedule.id);
  const kept = await findOccurrences(sources.database, ids, occurrences);
  const decisions = await findDecisions(sources.database, found, sources.bankDays.holidays);
  return Promise.all(
    found.map((schedule) =>
      documentOf(schedule, kept.get(schedule.id) ?? [], decisions.get(schedule.id), sources),
    ),
  );
}

async function documentOf(
  schedule: Schedule,
  kept: readonly StoredOccurrence[],
  { undecided, decided }: ScheduleDecisions = { undecided: [], decided: [] },
  sources: Sources,
) {
  const { id, name, calendar, list, folder, amounts, state, reason } = schedule;
  const tried = await rulePreviewDocument(calendar, list, NEXT, sources, kept, decided);
  return {
    id,
    name,
    says: tried.says,
    note: tried.note,
    calendar,
    list,
    folder,
    amounts,
    state,
    reason,
    lead_hours: schedule.leadHours,
    grace_hours: schedule.graceHours,
    expires_hours: schedule.expiresHours,
    maker: schedule.maker,
    version: schedule.version,
    created_at: schedule.createdAt.toISOString(),
    next: state === "active" ? tried.next : [],
    occurrences: kept.map(({ day, local, zone, sendAt, state: became, batchId, why, ...each }) => ({
      day,
      at: sendAt.toISOString(),
      says: momentText({ local, zone }),
      state: became,
      batch_id: batchId,
      why,
      amounts: each.amounts,
    })),
    undecided: undecided.map(({ day, local, zone, at, state: open }) => ({
      day,
      at: at.toISOString(),
      says: momentText({ local, zone }),
      state: open,
    })),
  };
}

/** Describes a rule in a sentence, with its next times. */
export async function rulePreviewDocument(
  calendar: Calendar,
  list: string | null,
  count: number,
  { database, ...sources }: Sources,
  kept: readonly StoredOccurrence[] = [],
  decided: readonly OccurrenceDecision[] = [],
) {
  const batch = list === null ? null : await findBatch(database, { id: list });
  const lanes = batch?.lanes.map(({ lane }) => lane) ?? [];
  return ruleDocument(calendar, lanes, count, sources, kept, decided);
}

/**
 * Without a list of holidays every weekday counts as a working day, and a payout may reach a bank
 * that is closed.
 */
const unknownHolidays = ({ holidays }: Calendar, known: BankDays): string | null =>
  holidays === null || known.holidays.has(holidays)
    ? null
    : `No bank holidays are configured for ${holidays}, so only weekends count as non-working days. An administrator can set HOLIDAYS_FILE.`;

const UPCOMING_STATES: ReadonlySet<OccurrenceState> = new Set(["planned", "due", "created"]);

/**
 * Occurrences in the ledger keep their planned times, even if the holidays have changed. After them
 * the rule continues.
 */
function* upcomingOccurrences(
  calendar: Calendar,
  kept: readonly StoredOccurrence[],
  { bankDays, now }: Omit<Sources, "database">,
): Generator<Occurrence, undefined> {
  yield* kept
    .filter(({ state, sendAt }) => UPCOMING_STATES.has(state) && sendAt.getTime() > now.getTime())
    .map(({ day, local, zone, sendAt }) => ({ day, local, zone, at: sendAt }))
    .toSorted((one, other) => one.at.getTime() - other.at.getTime());
  const place = kept.map(afterDayOf).reduce(laterPosition, positionAt(now, calendar.zone));
  yield* occurrencesAfter(calendar, place, bankDays.holidays);
  return undefined;
}

/**
 * Describes a rule and its next times, with the cut-offs that each time misses.
 *
 * @param lanes lanes whose cut-offs are checked.
 * @param kept the newest occurrences in the ledger.
 * @param decided decisions about coming occurrences, of which some are skipped.
 */
export const ruleDocument = (
  calendar: Calendar,
  lanes: readonly string[],
  count: number,
  { bankDays, now }: Omit<Sources, "database">,
  kept: readonly StoredOccurrence[] = [],
  decided: readonly OccurrenceDecision[] = [],
) => ({
  says: ruleSentence(calendar),
  note: unknownHolidays(calendar, bankDays),
  next: upcomingOccurrences(calendar, kept, { bankDays, now })
    .filter((occurrence) => !isSkipped(occurrence, decided))
    .take(count)
    .map((moment) => ({
      at: moment.at.toISOString(),
      says: momentText(moment),
      misses: findMissedCutOffs(lanes, moment.at, bankDays),
    }))
    .toArray(),
});
