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
import type { Permission } from "#people/roles.ts";
import { type EditPlan, planEdit } from "#schedule/edit-plan.ts";
import type { OpenInbox } from "#schedule/folder/inbox.ts";
import type { ScheduleEdit } from "#schedule/schedule.ts";

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
  amounts: "amounts",
  currency: "currency",
  leadHours: "lead_hours",
  graceHours: "grace_hours",
  expiresHours: "expires_hours",
} as const satisfies Record<keyof ScheduleSettings, string>;

interface Editor {
  readonly actor: string;
  readonly permissions: ReadonlySet<Permission>;
}

/**
 * Replaces the settings of a schedule, if nobody changed it since the editor has loaded it.
 * Existing batches keep their rows and send times. Occurrences whose time has come keep their time,
 * and no day that had an occurrence gets another one. The list or folder stays while an occurrence
 * that is due, missed or failed has no batch. An edit that may pay a period again, or skips a
 * planned occurrence, needs a confirmation.
 */
export async function editSchedule(
  id: string,
  given: ScheduleEdit,
  editor: Editor,
  deps: EditDeps,
): Promise<Result<true, ScheduleRefusal>> {
  const { list = null, folder = null } = given;
  const edited: ScheduleSettings = {
    name: given.name,
    calendar: given.calendar,
    list,
    folder,
    amounts: given.amounts ?? null,
    currency: given.currency ?? null,
    leadHours: given.lead_hours,
    graceHours: given.grace_hours,
    expiresHours: given.expires_hours,
  };
  const [found] = await deps.ledger.schedule.findSchedules(id);
  if (!found) return err({ kind: "not_found", why: `There is no schedule ${id}.` });
  if (!mayEdit(editor, found)) return err(NOT_ALLOWED);
  const refusal = hasNewSource(found, edited) ? await unusableSource({ list, folder }, deps) : null;
  if (refusal) return err(refusal);
  try {
    await deps.ledger.transaction((transaction) =>
      applyEdit({ id, edited, given, actor: editor.actor }, transaction, deps),
    );
  } catch (error) {
    return err(refusalOf(error, folder));
  }
  return ok(true);
}

const NOT_ALLOWED: ScheduleRefusal = {
  kind: "forbidden",
  why: "Only the person who created the schedule and users with the operate permission may edit it. No changes were made.",
};

const mayEdit = ({ actor, permissions }: Editor, { maker }: Schedule): boolean =>
  permissions.has("operate") || (permissions.has("upload") && actor === maker);

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
  const current = await planOf(before, edited, transaction, holidays);
  if (hasNewSource(before, edited) && current.undecided !== null)
    throw new ScheduleRefused(undecided(current.undecided));
  const plan = isReplanned ? current : null;
  if (plan?.next === null && changed.has("calendar")) throw new ScheduleRefused(NO_FUTURE_TIMES);
  const confirmed = plan ? confirmedEffects(plan, given) : [];
  const facts = {
    before: pick(before, changed),
    after: { ...pick(edited, changed), ...(second !== null && { second_of: second }) },
    ...(confirmed.length > 0 && { confirmed }),
  };
  const { version } = await steps.updateSchedule({
    ...edited,
    id,
    isReplanned,
    facts,
    actor,
    at: new Date(clock.nowMs()),
  });
  if (changed.has("amounts") || changed.has("currency")) await steps.retryUnreadOccurrences(id);
  if (!plan) return;
  await steps.insertReachedOccurrences(before, plan.reached);
  await steps.unplanOccurrences(id);
  await steps.planOccurrence({ id, leadHours: edited.leadHours, version }, plan.next);
}

/** Plans the edit. The planned occurrence cannot become due until the transaction ends. */
async function planOf(
  { id, calendar, leadHours, updatedAt: since, state }: Schedule,
  edited: ScheduleSettings,
  { schedule: steps }: LedgerSteps,
  holidays: ScheduleDeps["holidays"],
): Promise<EditPlan> {
  const stored = await steps.findEditedOccurrences(id);
  const before = { calendar, leadHours, since, isActive: state === "active" };
  return planEdit(before, stored, edited.calendar, holidays);
}

/**
 * Returns the effects of an edit that its editor has confirmed, as sentences.
 *
 * @throws ScheduleRefused if an effect is not confirmed, or has another date than confirmed.
 */
function confirmedEffects(
  { repeats, skips }: EditPlan,
  { allow_repeat: allowRepeat, allow_skip: allowSkip }: ScheduleEdit,
): readonly string[] {
  if (repeats && repeats.day !== allowRepeat)
    throw new ScheduleRefused({
      kind: "period_repeated",
      day: repeats.day,
      why: `${repeats.why} No changes were made. Confirm the edit only if the schedule is to pay on both days.`,
    });
  if (skips && skips.day !== allowSkip)
    throw new ScheduleRefused({
      kind: "occurrence_skipped",
      day: skips.day,
      why: `${skips.why} No changes were made. Confirm the edit only if the schedule is not to pay for this occurrence.`,
    });
  return [repeats, skips].flatMap((effect) => effect?.why ?? []);
}

const undecided = (day: string): ScheduleRefusal => ({
  kind: "occurrence_undecided",
  why: `The occurrence of ${day} has no batch yet. Create its batch or skip it first. No changes were made.`,
});
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
