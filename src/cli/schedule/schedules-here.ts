import { bankDays } from "#app/bank-days.ts";
import { CliError, EXIT, type ExitCode } from "#cli/terminal/exit.ts";
import { actor } from "#cli/terminal/output.ts";
import type { Schedules } from "#cli/schedule/schedules.ts";
import { systemClock } from "#base/clock.ts";
import { scheduleDocuments } from "#views/schedule/schedule-document.ts";
import { makeSchedule } from "#flows/schedule/schedules.ts";
import { foldersIn } from "#schedule/folder/watched-folder.ts";
import { decideOccurrence } from "#ledger/schedule/occurrences.ts";
import { schedules as scheduleRows, steerSchedule } from "#ledger/schedule/schedules.ts";
import { ScheduleGiven } from "#schedule/schedule.ts";
import type { OpenLedger } from "#app/open-ledger.ts";

const KEPT = 50;
const ENDINGS: Readonly<Record<string, ExitCode>> = {
  not_found: EXIT.notFound,
  schedule_exists: EXIT.conflict,
  list_already_scheduled: EXIT.conflict,
};

const noSchedule = (id: string): CliError =>
  new CliError(EXIT.notFound, `There is no schedule ${id}. See: payrun schedule list`);

/** The schedules of this machine's ledger. */
export function schedulesHere({ config, database }: OpenLedger): Schedules {
  const days = bankDays(config);
  const now = () => new Date(systemClock.nowMs());
  const sources = () => ({ database, bankDays: days, now: now() });
  const refused = async (id: string, why: string): Promise<CliError> => {
    const [found] = await scheduleRows(database, id);
    return found ? new CliError(EXIT.conflict, why) : noSchedule(id);
  };
  return {
    list: () => scheduleDocuments(null, KEPT, sources()),
    async show(id) {
      const [found] = await scheduleDocuments(id, KEPT, sources());
      if (!found) throw noSchedule(id);
      return found;
    },
    async create(given) {
      const made = await makeSchedule(ScheduleGiven.parse(given), actor(), {
        database,
        clock: systemClock,
        holidays: days.holidays,
        inboxOf: foldersIn(config.WATCH_FOLDER),
      });
      if (made.ok) return made.value;
      const { kind, why } = made.error;
      throw new CliError(ENDINGS[kind] ?? EXIT.usage, why, kind);
    },
    async steer(id, how, reason) {
      const order = { id, how, reason, actor: actor(), at: now() };
      const done = await database
        .transaction()
        .execute((transaction) => steerSchedule(transaction, order));
      if (!done)
        throw await refused(
          id,
          `Schedule ${id} cannot be ${how}d in its current state. No changes were made. See: payrun schedule show ${id}`,
        );
    },
    async decide(id, day, decision, reason) {
      const order = { id, day, decision, reason, actor: actor(), at: now() };
      const done = await database
        .transaction()
        .execute((transaction) => decideOccurrence(transaction, order));
      if (!done)
        throw await refused(
          id,
          `Schedule ${id} has no missed occurrence on ${day}. No changes were made.`,
        );
    },
  };
}
