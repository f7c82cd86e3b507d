import type { FIRST_STEPS, HOME_TASKS_API } from "#api/operations/home-tasks.ts";
import type { AnswerOf } from "#api/app/operation.ts";
import type { ServerDeps } from "#views/deps.ts";
import type { Person } from "#views/person.ts";
import { changesToConfirm } from "#views/people/pending-changes.ts";
import { sumGroups } from "#views/operations/overview.ts";
import { reconciliationTasks } from "#views/operations/reconciliation-tasks.ts";
import { findWaitingBatches } from "#ledger/approval/waiting-batches.ts";
import { findBlockedBatches } from "#ledger/approval/policy/blocked-batches.ts";
import { findSetup } from "#ledger/operations/first-setup.ts";
import * as tasks from "#ledger/operations/home-tasks.ts";
import { findReasonGroups } from "#ledger/operations/overview.ts";
import { listActions } from "#ledger/payout/action/actions.ts";
import { findResolutionsToConfirm } from "#ledger/payout/manual-resolution.ts";
import { findWaitEndingsToConfirm } from "#ledger/payout/wait-endings.ts";
import { findActorNames } from "#ledger/people/names.ts";
import { amountOf } from "#money/format.ts";
import type { Permission } from "#people/roles.ts";

type Tasks = AnswerOf<(typeof HOME_TASKS_API)["GET /api/home/tasks"]>;
type Listed = Tasks["draft"];

/** The tasks of one person. Alarms and next runs are the same for several people. */
export type OwnTasks = Omit<Tasks, "at" | "alarms" | "next_runs">;

const LISTED_MAX = 5;
const NONE = { count: 0, batches: [] };

/** Returns what waits for this person, and the payouts in doubt. */
export async function ownTasks(person: Person, deps: ServerDeps): Promise<OwnTasks> {
  const { database } = deps;
  const may = (permission: Permission) => person.permissions.has(permission);
  const approves = person.kind === "user" && may("approve");
  const [
    approve,
    draft,
    correct,
    blocked,
    retry,
    resolutions,
    endings,
    actions,
    held,
    inDoubt,
    nextQuery,
    reconciliation,
  ] = await Promise.all([
    approves ? toApprove(database, person.id) : NONE,
    may("upload") ? tasks.findOwnBatches(database, person.actor, "draft") : NONE,
    may("upload") ? tasks.findOwnBatches(database, person.actor, "needs_correction") : NONE,
    may("upload") ? toExplain(database, person.actor) : NONE,
    may("upload") ? tasks.findDeclinedToRetry(database, person.actor) : null,
    approves ? findResolutionsToConfirm(database, LISTED_MAX) : [],
    approves ? findWaitEndingsToConfirm(database, LISTED_MAX) : [],
    approves ? proposedActions(database) : [],
    may("operate") ? findReasonGroups(database, "on_hold") : [],
    findReasonGroups(database, "in_doubt"),
    tasks.findNextStatusQuery(database),
    reconciliationTasks(person, database),
  ]);
  const amounts = await tasks.findAmounts(database, [...resolutions, ...endings]);
  const shownPayouts = (codes: readonly string[]) =>
    codes.flatMap((code) => {
      const money = amounts.get(code);
      return money ? [{ transaction_code: code, ...amountOf(money) }] : [];
    });
  const listed = [approve, draft, correct, blocked, retry ?? NONE].flatMap(
    ({ batches }) => batches,
  );
  const nameOf = await findActorNames(database, [
    ...listed.map(({ maker }) => maker),
    ...actions.map(({ createdBy }) => createdBy),
  ]);
  const shown = (found: tasks.TaskBatches): Listed => shownBatches(found, nameOf);
  return {
    approve: shown(approve),
    draft: shown(draft),
    correct: shown(correct),
    duplicates: shown(blocked),
    retry: shown(retry ? withTotals(retry) : NONE),
    resolutions: shownPayouts(resolutions),
    wait_endings: shownPayouts(endings),
    payout_actions: actions.map((action) => shownAction(action, nameOf)),
    pending_changes: (await changesToConfirm(person, deps)).map((change) => ({
      id: change.id,
      says: change.says.join(". "),
      proposed_by: change.proposed_by.name,
      since: change.at,
      creates_link: change.kind === "invite" || change.kind === "link",
    })),
    reconciliation,
    on_hold: sumGroups(held).shown,
    in_doubt: { ...sumGroups(inDoubt).shown, next_query_at: nextQuery?.toISOString() ?? null },
    first_steps: await firstSteps(person, database),
  };
}

const proposedActions = (database: ServerDeps["database"]) =>
  listActions(database, { state: "proposed", after: null, limit: LISTED_MAX });

const shownAction = (
  { id, createdBy, appliedAt, createdAt, changed }: Awaited<ReturnType<typeof listActions>>[number],
  nameOf: (actor: string) => string,
) => ({
  id,
  proposed_by: nameOf(createdBy),
  since: (appliedAt ?? createdAt).toISOString(),
  payouts: changed?.count ?? 0,
  sums: (changed?.totals ?? []).map(({ sum }) => amountOf(sum)),
});

async function toApprove(database: ServerDeps["database"], userId: string) {
  const mine = (await findWaitingBatches(database, userId)).filter((waiting) => waiting.mine);
  const ids = mine.slice(0, LISTED_MAX).map(({ batchId }) => batchId);
  return { count: mine.length, batches: await tasks.findTaskBatches(database, ids) };
}

/** The batches of this uploader whose exact duplicates need a reason. */
async function toExplain(database: ServerDeps["database"], maker: string) {
  const ids = await findBlockedBatches(database, maker);
  return {
    count: ids.length,
    batches: await tasks.findTaskBatches(database, ids.slice(0, LISTED_MAX)),
  };
}

/** The batches with the totals of their declined payouts instead of all. */
const withTotals = (retry: Awaited<ReturnType<typeof tasks.findDeclinedToRetry>>) => ({
  count: retry.count,
  batches: retry.batches.map((batch) => ({ ...batch, totals: retry.totals.get(batch.id) ?? [] })),
});

const shownBatches = (
  { count, batches }: tasks.TaskBatches,
  nameOf: (actor: string) => string,
): Listed => ({
  count,
  batches: batches.map(({ id, name, maker, since, rejected, totals }) => ({
    batch_id: id,
    name,
    maker: nameOf(maker),
    since: since.toISOString(),
    rejected,
    payouts: totals.reduce((sum, each) => sum + each.count, 0),
    sums: totals.map(({ sum }) => amountOf(sum)),
  })),
});

/** The permission that each first step needs. */
const STEP_PERMISSIONS: Readonly<Record<(typeof FIRST_STEPS)[number], Permission>> = {
  invite_approver: "administer",
  add_channel: "administer",
  set_second_factor: "read",
  upload: "upload",
  approve: "approve",
};

/** The first steps that this person can take; null once a batch has been approved. */
async function firstSteps(
  person: Person,
  database: ServerDeps["database"],
): Promise<Tasks["first_steps"]> {
  const setup = await findSetup(database, person.kind === "user" ? person.id : null);
  if (setup.approve) return null;
  const steps = Object.keys(STEP_PERMISSIONS) as (keyof typeof STEP_PERMISSIONS)[];
  return steps
    .filter((step) => person.permissions.has(STEP_PERMISSIONS[step]))
    .map((step) => ({ step, done: setup[step] }));
}
