import type { Clock } from "#base/clock.ts";
import { createOccurrenceBatch, type OccurrenceDeps } from "#flows/schedule/occurrence.ts";
import type { RequestSlots } from "#flows/request-slots.ts";
import { newId } from "#base/ids.ts";
import type { OpenInbox } from "#schedule/folder/inbox.ts";
import type { Ledger, LedgerSteps } from "#ledger/ledger.ts";
import { isUniqueViolation } from "#ledger/store/database-errors.ts";
import { err, ok, type Result } from "#base/result.ts";
import type { Calendar } from "#schedule/calendar.ts";
import { nextOccurrence, type ScheduleInput } from "#schedule/schedule.ts";
import { ruleSentence } from "#schedule/rule-sentence.ts";
import type { Holidays } from "#schedule/working-days.ts";

export interface ScheduleDeps extends OccurrenceDeps {
  readonly holidays: Holidays;
  /**
   * Lets a process create one batch at a time: each holds two connections until it is created, and
   * takes a third for each page of its list.
   */
  readonly creating: RequestSlots;
  readonly clock: Pick<Clock, "nowMs" | "monotonicMs">;
}

/** The reason why the schedule was refused, as text. */
export interface ScheduleRefusal {
  readonly kind:
    | "not_found"
    | "schedule_exists"
    | "list_already_scheduled"
    | "folder_unusable"
    | "wrong_state"
    | "content_changed"
    | "forbidden"
    | "period_repeated"
    | "occurrence_skipped"
    | "occurrence_undecided"
    | "time_passed";
  readonly why: string;
  /** The date that confirms the effect for which an edit was refused. */
  readonly day?: string;
}

/**
 * Time limit of a tick in milliseconds. It is short, so that the next occurrences do not wait for
 * the batches of those before.
 */
const SHARE_MS = 300;
const SHARE = 200;

/** Thrown to roll the transaction back in which a schedule is refused. */
export class ScheduleRefused extends Error {
  readonly refusal: ScheduleRefusal;

  constructor(refusal: ScheduleRefusal) {
    super(refusal.why);
    this.refusal = refusal;
  }
}

/** Stores a schedule, and plans its first occurrence. */
export async function createSchedule(
  given: ScheduleInput,
  actor: string,
  deps: Pick<ScheduleDeps, "ledger" | "holidays"> & {
    readonly clock: Pick<Clock, "nowMs">;
    readonly inboxOf: OpenInbox;
  },
): Promise<Result<string, ScheduleRefusal>> {
  const { ledger, clock, holidays } = deps;
  const { name, calendar, list = null, folder = null, amounts = null, currency = null } = given;
  const refusal = await unusableSource({ list, folder }, deps);
  if (refusal) return err(refusal);
  const schedule = {
    id: newId("SC"),
    version: 1,
    name,
    calendar,
    list,
    folder,
    amounts,
    currency,
    leadHours: given.lead_hours,
    graceHours: given.grace_hours,
    expiresHours: given.expires_hours,
    maker: actor,
  };
  const at = new Date(clock.nowMs());
  try {
    await ledger.transaction(async (transaction) => {
      const second = await otherScheduleOfList({ ...given, list, except: null }, transaction);
      const since = await transaction.schedule.insertSchedule(schedule, second, at);
      const next = nextOccurrence(calendar, { since, last: null }, holidays);
      if (!next) throw new ScheduleRefused(NO_FUTURE_TIMES);
      await transaction.schedule.planOccurrence(schedule, next);
    });
  } catch (error) {
    return err(refusalOf(error, folder));
  }
  return ok(schedule.id);
}

/** The refusal of a rule that names no day in the future. */
export const NO_FUTURE_TIMES: ScheduleRefusal = {
  kind: "time_passed",
  why: "The rule has no future times.",
};

/** States why the list or the folder of a schedule cannot be used. Null: it can. */
export async function unusableSource(
  { list, folder }: { readonly list: string | null; readonly folder: string | null },
  { ledger, inboxOf }: { readonly ledger: Ledger; readonly inboxOf: OpenInbox },
): Promise<ScheduleRefusal | null> {
  if (list !== null && !(await ledger.payout.findBatch({ id: list })))
    return { kind: "not_found", why: `There is no batch ${list}.` };
  const inbox = folder === null ? null : await inboxOf(folder);
  return inbox && !inbox.ok
    ? { kind: "folder_unusable", why: `The folder cannot be used: ${inbox.error}.` }
    : null;
}

/**
 * Returns the ID of another schedule that pays the same list and is intended to run as well. Null:
 * there is none.
 *
 * @throws ScheduleRefused if the two schedules have the same times, or a person must confirm both.
 */
export async function otherScheduleOfList(
  given: {
    readonly list: string | null;
    readonly calendar: Calendar;
    readonly allow_second: boolean;
    /** The schedule that is being edited. */
    readonly except: string | null;
  },
  transaction: LedgerSteps,
): Promise<string | null> {
  const { list, calendar, except } = given;
  if (list === null) return null;
  // Two people may save the same schedule at the same time: the second one waits, and is shown the
  // first.
  await transaction.intake.lockBatch(list);
  const other = await transaction.schedule.findScheduleOfList({ list, calendar, except });
  if (other && (other.isSame || !given.allow_second))
    throw new ScheduleRefused(duplicateListRefusal(list, other));
  return other?.id ?? null;
}

/** Returns the refusal for which a transaction was rolled back. Throws any other error. */
export function refusalOf(error: unknown, folder: string | null): ScheduleRefusal {
  if (error instanceof ScheduleRefused) return error.refusal;
  if (!isUniqueViolation(error, "schedules_folder")) throw error;
  return {
    kind: "folder_unusable",
    why: `Another schedule already uses the folder ${folder}.`,
  };
}

/**
 * States why a second schedule of the same list is refused. At the same times it is always refused;
 * at other times a person may confirm that both are intended.
 */
function duplicateListRefusal(
  list: string,
  other: { readonly name: string; readonly calendar: Calendar; readonly isSame: boolean },
): ScheduleRefusal {
  const pays = `The schedule “${other.name}” already pays the rows of batch ${list}`;
  return other.isSame
    ? {
        kind: "schedule_exists",
        why: `${pays} at these times. Two schedules would pay them twice.`,
      }
    : {
        kind: "list_already_scheduled",
        why: `${pays}: ${ruleSentence(other.calendar)} With both schedules, the rows would be paid at the times of each. Remove that schedule first, or confirm that you want both.`,
      };
}

/**
 * Fires the occurrences that are due, plans the next ones, and creates the batches of those fired.
 * Safe to run concurrently.
 */
export async function runSchedules(deps: ScheduleDeps): Promise<void> {
  const { ledger, holidays, clock } = deps;
  await ledger.schedule.fireOccurrences();
  const endMs = clock.monotonicMs() + SHARE_MS;
  const isOver = () => clock.monotonicMs() > endMs;
  for (const schedule of await ledger.schedule.findUnplanned(SHARE)) {
    if (isOver()) break;
    const { calendar, updatedAt: since, last } = schedule;
    await ledger.schedule.planOccurrence(
      schedule,
      nextOccurrence(calendar, { since, last }, holidays),
    );
  }
  // Another call does not wait for this one: it has fired the due occurrences, and continues.
  if (deps.creating.inUse === 0) await deps.creating.withSlot(() => createBatches(deps, isOver));
}

async function createBatches(deps: ScheduleDeps, isOver: () => boolean): Promise<void> {
  const { ledger, log } = deps;
  for (const due of await ledger.schedule.findDueOccurrences(SHARE)) {
    if (isOver()) break;
    try {
      await ledger.withLock(`occurrence ${due.id} ${due.day}`, () =>
        createOccurrenceBatch(due, deps),
      );
    } catch (error) {
      log.warn(
        { schedule: due.id, day: due.day, err: error },
        "batch of a schedule could not be created",
      );
    }
  }
}
