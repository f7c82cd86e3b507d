import type { HOME_TASKS_API } from "#api/operations/home-tasks.ts";
import type { AnswerOf } from "#api/app/operation.ts";
import type { ServerDeps } from "#views/deps.ts";
import { findLaneNames } from "#ledger/payout/lane/account-names.ts";
import { countUnapproved, findComingBatches } from "#ledger/schedule/coming-batches.ts";
import { laneParts } from "#payout/payout.ts";
import { momentText } from "#schedule/local-time.ts";
import { nextCutOffs } from "#schedule/next-cut-off.ts";
import { scheduleDocuments } from "#views/schedule/schedule-document.ts";

type NextRun = AnswerOf<(typeof HOME_TASKS_API)["GET /api/home/tasks"]>["next_runs"][number];

const LISTED_MAX = 8;
/** Occurrences of each schedule that are searched for its next time. */
const KEPT = 5;

/** Returns the next cut-offs, scheduled batches and occurrences of schedules, earliest first. */
export async function nextRuns({
  database,
  bankDays,
  clock,
}: Pick<ServerDeps, "database" | "bankDays" | "clock">): Promise<readonly NextRun[]> {
  const now = new Date(clock.nowMs());
  const [coming, unapproved, schedules, nameOf] = await Promise.all([
    findComingBatches(database, LISTED_MAX),
    countUnapproved(database),
    scheduleDocuments(null, KEPT, { database, bankDays, now }),
    findLaneNames(database),
  ]);
  const cutOffs = nextCutOffs(bankDays, now).map(
    (cutOff): NextRun => ({
      at: cutOff.at.toISOString(),
      says: momentText(cutOff),
      kind: "cut_off",
      name: cutOff.of.includes("/") ? nameOf(cutOff.of) : cutOff.of,
      batch_id: null,
      payouts: [...unapproved]
        .filter(([lane]) => lane === cutOff.of || laneParts(lane).currency === cutOff.of)
        .reduce((sum, [, payouts]) => sum + payouts, 0),
      state: null,
    }),
  );
  const scheduled = coming.map(
    (batch): NextRun => ({
      at: batch.at.toISOString(),
      says: momentText(batch),
      kind: "scheduled",
      name: batch.name,
      batch_id: batch.id,
      payouts: batch.payouts,
      state: batch.state,
    }),
  );
  const recurring = schedules.flatMap(({ name, next, occurrences }): NextRun[] => {
    // A batch that the schedule has already created is listed as scheduled.
    const created = new Set(occurrences.flatMap((each) => (each.batch_id ? each.at : [])));
    const run = next.find(({ at }) => !created.has(at));
    const other = { kind: "recurring", name, batch_id: null, payouts: null, state: null } as const;
    return run ? [{ at: run.at, says: run.says, ...other }] : [];
  });
  return [...cutOffs, ...scheduled, ...recurring]
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
    .slice(0, LISTED_MAX);
}
