import { sumByCurrency } from "#money/money.ts";
import { formatMoney } from "#money/format.ts";
import { type Batch, findBatch } from "#ledger/payout/batches.ts";
import { findLaneNames } from "#ledger/payout/lane/account-names.ts";
import { findBlockedAmong } from "#ledger/approval/policy/blocked-batches.ts";
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

/** The lanes of a schedule's batch, whose cut-offs are checked. */
interface CheckedLanes {
  readonly lanes: readonly string[];
  /** Returns the display name of a lane. */
  readonly nameOf: (lane: string) => string;
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
  const laneNameOf = await findLaneNames(sources.database);
  const batchIds = [...kept.values()].flat().flatMap(({ batchId }) => batchId ?? []);
  const blocked = await findBlockedAmong(sources.database, batchIds);
  return Promise.all(
    found.map((schedule) =>
      documentOf(schedule, kept.get(schedule.id) ?? [], decisions.get(schedule.id), {
        ...sources,
        laneNameOf,
        blocked,
      }),
    ),
  );
}

async function documentOf(
  schedule: Schedule,
  kept: readonly StoredOccurrence[],
  { undecided, decided }: ScheduleDecisions = { undecided: [], decided: [] },
  {
    laneNameOf,
    blocked,
    ...sources
  }: Sources & {
    readonly laneNameOf: CheckedLanes["nameOf"];
    /** The batches that exact duplicates block. */
    readonly blocked: ReadonlySet<string>;
  },
) {
  const { id, name, calendar, list, folder, amounts, currency, state, reason } = schedule;
  const batch = list === null ? null : await findBatch(sources.database, { id: list });
  const checked = { lanes: lanesOf(batch), nameOf: laneNameOf };
  const tried = ruleDocument(calendar, checked, NEXT, sources, kept, decided);
  return {
    id,
    name,
    says: tried.says,
    note: tried.note,
    calendar,
    list,
    list_batch: batch && listedBatch(batch),
    folder,
    amounts,
    currency,
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
      needs_duplicate_reason: batchId !== null && blocked.has(batchId),
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
  const checked = { lanes: lanesOf(batch), nameOf: await findLaneNames(database) };
  return ruleDocument(calendar, checked, count, sources, kept, decided);
}

const lanesOf = (batch: Batch | null): readonly string[] =>
  batch?.lanes.map(({ lane }) => lane) ?? [];

/** The batch whose rows a schedule pays: its name, and what one occurrence pays. */
export const listedBatch = ({ name, purpose, fileName, lanes }: Batch) => ({
  name: name ?? purpose ?? fileName,
  payouts: lanes.reduce((sum, { rows }) => sum + rows, 0),
  totals: [...sumByCurrency(lanes.map(({ total }) => total)).values()].map((total) => ({
    currency: total.currency,
    amount: formatMoney(total),
  })),
});

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
 * @param kept the newest occurrences in the ledger.
 * @param decided decisions about coming occurrences, of which some are skipped.
 */
export const ruleDocument = (
  calendar: Calendar,
  { lanes, nameOf }: CheckedLanes,
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
      misses: findMissedCutOffs(lanes, moment.at, bankDays, nameOf),
    }))
    .toArray(),
});
