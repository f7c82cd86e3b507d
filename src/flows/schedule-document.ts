import { findBatch } from "#ledger/batches.ts";
import type { Database } from "#ledger/database.ts";
import { type KeptOccurrence, occurrencesOf, type Schedule, schedules } from "#ledger/schedules.ts";
import type { Calendar } from "#schedule/calendar.ts";
import { type BankDays, missedCutOffs } from "#schedule/cut-offs.ts";
import { momentText } from "#schedule/local-time.ts";
import { occurrencesAfter, placeAt } from "#schedule/occurrences.ts";
import { sentenceOf } from "#schedule/sentence.ts";

interface Sources {
  readonly database: Database;
  readonly bankDays: BankDays;
  readonly now: Date;
}

const NEXT = 5;

/** The schedules as API and command line show them, each with so many of its occurrences; or the one that is named. */
export async function scheduleDocuments(id: string | null, occurrences: number, sources: Sources) {
  const found = await schedules(sources.database, id);
  const ids = found.map((schedule) => schedule.id);
  const kept = await occurrencesOf(sources.database, ids, occurrences);
  return Promise.all(
    found.map((schedule) => documentOf(schedule, kept.get(schedule.id) ?? [], sources)),
  );
}

async function documentOf(schedule: Schedule, kept: readonly KeptOccurrence[], sources: Sources) {
  const { id, name, calendar, list, folder, state, reason } = schedule;
  const tried = await triedDocument(calendar, list, NEXT, sources);
  return {
    id,
    name,
    says: tried.says,
    calendar,
    list,
    folder,
    state,
    reason,
    lead_hours: schedule.leadHours,
    grace_hours: schedule.graceHours,
    expires_hours: schedule.expiresHours,
    maker: schedule.maker,
    created_at: schedule.createdAt.toISOString(),
    next: state === "active" ? tried.next : [],
    occurrences: kept.map(({ day, local, sendAt, state: became, batchId, why }) => ({
      day,
      at: sendAt.toISOString(),
      says: momentText({ local, zone: calendar.zone }),
      state: became,
      batch_id: batchId,
      why,
    })),
  };
}

/** A rule in a sentence, and its next times. */
export async function triedDocument(
  calendar: Calendar,
  list: string | null,
  count: number,
  { database, ...sources }: Sources,
) {
  const batch = list === null ? null : await findBatch(database, { id: list });
  const lanes = batch?.lanes.map(({ lane }) => lane) ?? [];
  return ruleDocument(calendar, lanes, count, sources);
}

/** Without a list of them no day is a holiday, and a payout may come to a bank that is closed. */
const unknownHolidays = ({ holidays }: Calendar, known: BankDays): string =>
  holidays === null || known.holidays.has(holidays)
    ? ""
    : `No holidays of ${holidays} are known (HOLIDAYS_FILE): only its weekend counts.`;

/** @param lanes whose cut-offs are told. */
export const ruleDocument = (
  calendar: Calendar,
  lanes: readonly string[],
  count: number,
  { bankDays, now }: Omit<Sources, "database">,
) => ({
  says: [sentenceOf(calendar), unknownHolidays(calendar, bankDays)].filter(Boolean).join(" "),
  next: occurrencesAfter(calendar, placeAt(now, calendar.zone), bankDays.holidays)
    .take(count)
    .map((moment) => ({
      at: moment.at.toISOString(),
      says: momentText(moment),
      misses: missedCutOffs(lanes, moment.at, bankDays),
    }))
    .toArray(),
});
