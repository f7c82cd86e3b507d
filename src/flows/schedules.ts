import { createHash } from "node:crypto";
import type { RowSettings } from "#batch/row.ts";
import type { Clock } from "#clock.ts";
import { ingest } from "#flows/ingest.ts";
import { rowsAsFile } from "#flows/rows-as-file.ts";
import type { Keyring } from "#gateway/keyring.ts";
import { newId } from "#ids.ts";
import { findBatch } from "#ledger/batches.ts";
import type { Database } from "#ledger/database.ts";
import type { Batch, Ledger } from "#ledger/ledger.ts";
import {
  type DueOccurrence,
  dueOccurrences,
  endOccurrence,
  type Ending,
  fireOccurrences,
  insertSchedule,
  planOccurrence,
  unplanned,
} from "#ledger/schedules.ts";
import type { Sealer } from "#ledger/sealed.ts";
import { submitBatch } from "#ledger/submission.ts";
import type { Log } from "#log.ts";
import { err, ok, type Result } from "#result.ts";
import { isMissed, nextOccurrence, type ScheduleGiven } from "#schedule/schedule.ts";
import { momentText } from "#schedule/local-time.ts";
import type { Holidays } from "#schedule/working-days.ts";

export interface ScheduleDeps {
  readonly ledger: Ledger;
  readonly database: Database;
  readonly sealer: Sealer;
  readonly keyring: Keyring;
  readonly rows: RowSettings;
  readonly holidays: Holidays;
  readonly clock: Pick<Clock, "nowMs" | "monotonicMs">;
  readonly log: Log;
}

/** A tick is short: what fires next must not wait until the batches of what has fired are made. */
const SHARE_MS = 300;
const SHARE = 200;

/** Keeps a schedule, and plans its first occurrence. */
export async function makeSchedule(
  given: ScheduleGiven,
  actor: string,
  {
    database,
    clock,
    holidays,
  }: Pick<ScheduleDeps, "database" | "holidays"> & { readonly clock: Pick<Clock, "nowMs"> },
): Promise<Result<string, "not_found">> {
  const { name, calendar, list } = given;
  if (!(await findBatch(database, { id: list }))) return err("not_found");
  const schedule = {
    id: newId("SC"),
    name,
    calendar,
    list,
    leadHours: given.lead_hours,
    graceHours: given.grace_hours,
    expiresHours: given.expires_hours,
    maker: actor,
  };
  const since = new Date(clock.nowMs());
  await database.transaction().execute(async (transaction) => {
    await insertSchedule(transaction, schedule, since);
    const next = nextOccurrence(calendar, { since, last: null }, holidays);
    await planOccurrence(transaction, schedule, next);
  });
  return ok(schedule.id);
}

/** Fires what has come due, plans what comes next, and makes the batches of what was fired. Safe to run twice at once. */
export async function runSchedules(deps: ScheduleDeps): Promise<void> {
  const { database, ledger, holidays, log, clock } = deps;
  await fireOccurrences(database);
  const endMs = clock.monotonicMs() + SHARE_MS;
  const isOver = () => clock.monotonicMs() > endMs;
  for (const schedule of await unplanned(database, SHARE)) {
    if (isOver()) break;
    const { calendar, updatedAt: since, last } = schedule;
    await planOccurrence(database, schedule, nextOccurrence(calendar, { since, last }, holidays));
  }
  for (const due of await dueOccurrences(database, SHARE)) {
    if (isOver()) break;
    try {
      await ledger.alone(`occurrence ${due.id} ${due.day}`, () => makeBatch(due, deps));
    } catch (error) {
      log.warn({ schedule: due.id, day: due.day, err: error }, "its batch could not be made");
    }
  }
}

/**
 * Makes the batch of one occurrence: known by its schedule and day, so that it is one batch however often this runs, and
 * with its time in the same commit, so that nobody can approve it to go out at once.
 */
async function makeBatch(due: DueOccurrence, deps: ScheduleDeps): Promise<void> {
  const { database, clock } = deps;
  const at = new Date(clock.nowMs());
  const ending = await endingOf(due, deps);
  await database.transaction().execute(async (transaction) => {
    const ended = await endOccurrence(transaction, due, ending, at);
    if (!ended || ending.state !== "made") return;
    const { batchId } = ending;
    const order = { batchId, leaveOut: false, compared: [], actor: due.maker, at };
    await submitBatch(transaction, order);
  });
}

async function endingOf(due: DueOccurrence, deps: ScheduleDeps): Promise<Ending> {
  const { id, day, name, maker, local, sendAt, list, calendar, byHand, now } = due;
  const when = { local, zone: calendar.zone };
  if (!byHand && isMissed(sendAt, due.graceHours, now)) {
    return { state: "missed", why: `Nothing ran at ${momentText(when)}. Make it, or skip it.` };
  }
  const batch = await findBatch(deps.database, { id: list });
  if (!batch) return { state: "failed", why: `Its list ${list} is gone.` };
  const made = await ingest(
    {
      fileName: `${name} ${local.slice(0, 10)}.csv`,
      open: () => rowsAsFile(deps, batch, "new codes"),
      identity: createHash("sha256").update(`schedule ${id} ${day}`).digest("hex"),
      actor: maker,
      send: { ...when, at: sendAt, expiresHours: due.expiresHours },
    },
    deps,
  );
  if (!made.ok) return { state: "failed", why: made.error.map(({ message }) => message).join(" ") };
  return { state: "made", batchId: made.value.batch.id, why: wrongRows(made.value.batch) };
}

const wrongRows = ({ rejected }: Batch): string | null =>
  rejected === 0 ? null : `${rejected} of its rows no longer pass the check.`;
