import { isDeepStrictEqual } from "node:util";
import type { Clock } from "#base/clock.ts";
import { err, ok, type Result } from "#base/result.ts";
import {
  NO_FUTURE_TIMES,
  otherScheduleOfList,
  refusalOf,
  type ScheduleDeps,
  type ScheduleRefusal,
  ScheduleRefused,
  unusableSource,
} from "#flows/schedule/schedules.ts";
import type { LedgerSteps } from "#ledger/ledger.ts";
import type { ScheduleSettings } from "#ledger/schedule/edits.ts";
import type { Schedule } from "#ledger/schedule/schedules.ts";
import type { OpenInbox } from "#schedule/folder/inbox.ts";
import { nextOccurrence, type ScheduleEdit } from "#schedule/schedule.ts";

type EditDeps = Pick<ScheduleDeps, "ledger" | "holidays"> & {
  readonly clock: Pick<Clock, "nowMs">;
  readonly inboxOf: OpenInbox;
};

/** The settings, and their names in the API and the audit log. */
const SETTINGS = {
  name: "name",
  calendar: "calendar",
  list: "list",
  folder: "folder",
  leadHours: "lead_hours",
  graceHours: "grace_hours",
  expiresHours: "expires_hours",
} as const satisfies Record<keyof ScheduleSettings, string>;

/**
 * Replaces the settings of a schedule, if nobody changed it since the editor has loaded it.
 * Existing batches keep their rows and send times. Occurrences whose time has come keep their time,
 * and no day that had an occurrence gets another one.
 */
export async function editSchedule(
  id: string,
  given: ScheduleEdit,
  actor: string,
  deps: EditDeps,
): Promise<Result<true, ScheduleRefusal>> {
  const { list = null, folder = null } = given;
  const edited: ScheduleSettings = {
    name: given.name,
    calendar: given.calendar,
    list,
    folder,
    leadHours: given.lead_hours,
    graceHours: given.grace_hours,
    expiresHours: given.expires_hours,
  };
  const [found] = await deps.ledger.schedule.findSchedules(id);
  if (!found) return err({ kind: "not_found", why: `There is no schedule ${id}.` });
  const refusal = hasNewSource(found, edited) ? await unusableSource({ list, folder }, deps) : null;
  if (refusal) return err(refusal);
  try {
    await deps.ledger.transaction((transaction) =>
      applyEdit({ id, edited, given, actor }, transaction, deps),
    );
  } catch (error) {
    return err(refusalOf(error, folder));
  }
  return ok(true);
}

const hasNewSource = (before: ScheduleSettings, after: ScheduleSettings): boolean =>
  before.list !== after.list || before.folder !== after.folder;

interface Edit {
  readonly id: string;
  readonly edited: ScheduleSettings;
  readonly given: ScheduleEdit;
  readonly actor: string;
}

async function applyEdit(
  { id, edited, given, actor }: Edit,
  transaction: LedgerSteps,
  { holidays, clock }: EditDeps,
): Promise<void> {
  const steps = transaction.schedule;
  // Locked before the schedule, in the same order as when a schedule is created.
  if (edited.list !== null) await transaction.intake.lockBatch(edited.list);
  const before = await steps.lockSchedule(id);
  if (!before || before.state === "removed") throw new ScheduleRefused(REMOVED);
  const changed = changedSettings(before, edited);
  if (changed.size === 0) return;
  if (before.version !== given.version) throw new ScheduleRefused(CHANGED_MEANWHILE);
  const { list } = edited;
  const second =
    changed.has("list") || changed.has("calendar")
      ? await otherScheduleOfList({ ...given, list, except: id }, transaction)
      : null;
  const isReplanned = changed.has("calendar") || changed.has("leadHours");
  if (isReplanned) await settlePlannedOccurrences(before, transaction, holidays);
  const facts = {
    before: pick(before, changed),
    after: { ...pick(edited, changed), ...(second !== null && { second_of: second }) },
  };
  const { version, updatedAt: since } = await steps.updateSchedule({
    ...edited,
    id,
    isReplanned,
    hasNewSource: hasNewSource(before, edited),
    facts,
    actor,
    at: new Date(clock.nowMs()),
  });
  if (!isReplanned) return;
  const last = await steps.findLastOccurrence(id);
  const next = nextOccurrence(edited.calendar, { since, last }, holidays);
  if (!next && changed.has("calendar")) throw new ScheduleRefused(NO_FUTURE_TIMES);
  await steps.planOccurrence({ id, leadHours: edited.leadHours, version }, next);
}

const REMOVED: ScheduleRefusal = {
  kind: "wrong_state",
  why: "The schedule was removed. No changes were made.",
};
const CHANGED_MEANWHILE: ScheduleRefusal = {
  kind: "content_changed",
  why: "Another user changed this schedule after you loaded it. No changes were made. Load it again, then repeat your changes.",
};

type Setting = keyof ScheduleSettings;

const changedSettings = (before: ScheduleSettings, after: ScheduleSettings): ReadonlySet<Setting> =>
  new Set(
    (Object.keys(SETTINGS) as Setting[]).filter(
      (setting) => !isDeepStrictEqual(before[setting], after[setting]),
    ),
  );

const pick = (settings: ScheduleSettings, names: ReadonlySet<Setting>) =>
  Object.fromEntries([...names].map((name) => [SETTINGS[name], settings[name]]));

/**
 * Makes due all occurrences of the old rule whose time has come, also after a time without any
 * payrun process, and deletes the planned one after them.
 */
async function settlePlannedOccurrences(
  schedule: Schedule,
  { schedule: steps }: LedgerSteps,
  holidays: ScheduleDeps["holidays"],
): Promise<void> {
  const { id, calendar, updatedAt: since, state } = schedule;
  if (state !== "active") return;
  while (!(await steps.fireReachedOccurrences(id))) {
    const last = await steps.findLastOccurrence(id);
    const next = nextOccurrence(calendar, { since, last }, holidays);
    if (!next) return;
    await steps.planOccurrence(schedule, next);
  }
  await steps.unplanOccurrences(id);
}
