import { findLaneNames } from "#ledger/payout/lane/account-names.ts";
import { findBatches } from "#ledger/payout/batches.ts";
import type { Database } from "#ledger/store/database.ts";
import { findDecisions } from "#ledger/schedule/decisions.ts";
import {
  type OccurrenceState,
  findOccurrences,
  findSchedules,
} from "#ledger/schedule/schedules.ts";
import { findSendTimes } from "#ledger/schedule/send-times.ts";
import { findTimedBatches, type TimedBatchState } from "#ledger/schedule/timed-batches.ts";
import { type BankDays, findMissedCutOffs } from "#schedule/cut-offs.ts";
import { type LocalMoment, momentText } from "#schedule/local-time.ts";
import { occurrencesInMonth, daysOfMonth } from "#schedule/month.ts";
import {
  laterPosition,
  type Occurrence,
  type OccurrencePosition,
} from "#schedule/next-occurrences.ts";
import { isSkipped } from "#schedule/undecided.ts";

/**
 * Number of occurrences to read per schedule: one for each day of the month, and some of the month
 * before.
 */
const KEPT = 64;

interface Time {
  /** The time as text: "2026-12-31 09:00 Asia/Kolkata". */
  readonly says: string;
  readonly name: string;
  readonly schedule_id: string | null;
  readonly batch_id: string | null;
  readonly state: OccurrenceState | TimedBatchState;
  readonly misses: string[];
}

interface MonthSources {
  readonly database: Database;
  readonly bankDays: BankDays;
  /** Returns the display name of a lane. */
  readonly laneNameOf: (lane: string) => string;
}

/**
 * Lists the batches sent on each day of a month, with the days on which banks are closed and the
 * cut-off times of their payments.
 */
export async function monthDocument(
  month: string,
  { database, bankDays, now }: { database: Database; bankDays: BankDays; now: Date },
) {
  const laneNameOf = await findLaneNames(database);
  const times = [
    ...(await scheduledIn(month, { database, bankDays, laneNameOf, now })),
    ...(await waitingIn(month, { database, bankDays, laneNameOf })),
  ].toSorted((one, other) => (one.says < other.says ? -1 : 1));
  const byDay = Map.groupBy(times, ({ says }) => says.slice(0, 10));
  return {
    month,
    cut_offs: [...bankDays.cutOffs].map(([of, { time, zone }]) => ({ of, time, zone })),
    days: daysOfMonth(month).map((date) => ({
      date,
      closed: [...bankDays.holidays].flatMap(([name, days]) => (days.has(date) ? [name] : [])),
      times: byDay.get(date) ?? [],
    })),
  };
}

async function scheduledIn(
  month: string,
  { database, bankDays, laneNameOf, now }: MonthSources & { readonly now: Date },
): Promise<readonly Time[]> {
  const all = await findSchedules(database);
  const kept = await findOccurrences(
    database,
    all.map(({ id }) => id),
    KEPT,
  );
  // A batch that has a send time is shown at that time: it may have been rescheduled since its
  // creation.
  const timed = await findSendTimes(
    database,
    [...kept.values()].flat().flatMap(({ batchId }) => batchId ?? []),
  );
  const lists = await findBatches(
    database,
    all.flatMap(({ list }) => list ?? []),
  );
  const decisions = await findDecisions(database, all, bankDays.holidays);
  const lanesOf = new Map(lists.map(({ id, lanes }) => [id, lanes.map(({ lane }) => lane)]));
  return all.flatMap(({ id, name, calendar, list, state }) => {
    const lanes = lanesOf.get(list ?? "") ?? [];
    const its = kept.get(id) ?? [];
    const last = its.reduce<OccurrencePosition | null>(
      (position, each) => (position ? laterPosition(position, each) : each),
      null,
    );
    const coming =
      state === "active"
        ? occurrencesInMonth(month, calendar, { now, last }, bankDays.holidays)
        : [];
    const stateOf = (became: OccurrenceState, each: Pick<Occurrence, "day" | "local" | "zone">) =>
      became === "planned" && isSkipped(each, decisions.get(id)?.decided ?? [])
        ? "skipped"
        : became;
    const timeOf = (
      moment: LocalMoment,
      became: OccurrenceState,
      batchId: string | null,
    ): Time => ({
      says: momentText(moment),
      name,
      schedule_id: id,
      batch_id: batchId,
      state: became,
      misses: findMissedCutOffs(lanes, moment.at, bankDays, laneNameOf),
    });
    return [
      ...its
        .filter(({ batchId }) => batchId === null || !timed.has(batchId))
        .map((each) =>
          timeOf({ ...each, at: each.sendAt }, stateOf(each.state, each), each.batchId),
        ),
      ...coming.map((moment) => timeOf(moment, stateOf("planned", moment), null)),
    ];
  });
}

/**
 * Lists the batches that have a send time. Batches of a schedule are included, whatever the state
 * of the schedule.
 */
async function waitingIn(
  month: string,
  { database, bankDays, laneNameOf }: MonthSources,
): Promise<readonly Time[]> {
  const sendings = await findTimedBatches(database, month);
  return sendings.map(({ batchId, scheduleId, name, local, zone, at, lanes, state }) => ({
    says: momentText({ local, zone }),
    name,
    schedule_id: scheduleId,
    batch_id: batchId,
    state,
    misses: findMissedCutOffs(lanes, at, bankDays, laneNameOf),
  }));
}
