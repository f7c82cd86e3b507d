import type { z } from "zod";
import type { HomeView } from "#api/operations/home.ts";
import { statusBreakdowns, PART_OF_STATE, PARTS } from "#approval/status-breakdown.ts";
import { openCauses } from "#intake/batch/quarantine.ts";
import { totalsOf } from "#flows/approval/approve.ts";
import type { ServerDeps } from "#views/deps.ts";
import { sumGroups } from "#views/operations/overview.ts";
import { findBatchStatuses } from "#views/schedule/batch-status.ts";
import { listBatches } from "#ledger/payout/batches.ts";
import type { Progress } from "#ledger/ledger.ts";
import { findReasonGroups } from "#ledger/operations/overview.ts";
import { listActions } from "#ledger/payout/action/actions.ts";
import { findResolutionsToConfirm } from "#ledger/payout/manual-resolution.ts";
import { findActorNames } from "#ledger/people/names.ts";
import { findTotalsSince, type StateTotal } from "#ledger/payout/progress.ts";
import { findQuarantines } from "#ledger/intake/quarantine.ts";
import { findBatchNames } from "#ledger/intake/batch-description.ts";
import { findWaitEndingsToConfirm } from "#ledger/payout/wait-endings.ts";
import { amountOf, formatMoney } from "#money/format.ts";

type View = z.output<typeof HomeView>;

const BATCHES_MAX = 12;
const PROPOSALS_MAX = 5;
const DAY_MS = 24 * 3_600_000;

/** Returns the first page as every user may see it. */
export async function homeView(
  _id: string,
  { database, ledger, clock }: ServerDeps,
): Promise<View> {
  const nowMs = clock.nowMs();
  const newest = await listBatches(database, BATCHES_MAX);
  const shown = newest.filter(({ createdAt }) => createdAt.getTime() > nowMs - 7 * DAY_MS);
  const ids = shown.map(({ id }) => id);
  const [
    inDoubt,
    held,
    closings,
    waitEndings,
    actions,
    lately,
    nameOf,
    names,
    statusOf,
    ...progress
  ] = await Promise.all([
    findReasonGroups(database, "in_doubt"),
    findReasonGroups(database, "on_hold"),
    findResolutionsToConfirm(database, PROPOSALS_MAX),
    findWaitEndingsToConfirm(database, PROPOSALS_MAX),
    listActions(database, { state: "proposed", after: null, limit: PROPOSALS_MAX }),
    findTotalsSince(database, new Date(nowMs - DAY_MS)),
    findActorNames(
      database,
      shown.map(({ maker }) => maker),
    ),
    findBatchNames(database, ids),
    findBatchStatuses(database, ids),
    ...ids.map((id) => ledger.payout.progressOf(id)),
  ]);
  const quarantined = await findQuarantines(database, ids);
  return {
    in_doubt: sumGroups(inDoubt).shown,
    on_hold: sumGroups(held).shown,
    resolutions: closings,
    wait_endings: waitEndings,
    payout_actions: actions.map(({ id }) => id),
    recent_amounts: latelyOf(lately),
    batches: shown.map((batch, at) => ({
      batch_id: batch.id,
      file: batch.fileName,
      name: names.get(batch.id) ?? null,
      state: batch.state,
      quarantined: openCauses(quarantined.get(batch.id) ?? []).length > 0,
      ...statusOf(batch.id),
      created_at: batch.createdAt.toISOString(),
      maker: { actor: batch.maker, name: nameOf(batch.maker) },
      payouts: batch.lanes.reduce((sum, { rows }) => sum + rows, 0),
      totals: [...totalsOf(batch).values()].map(amountOf),
      parts: partsOf(progress[at] ?? []),
    })),
    is_empty: newest.length === 0,
  };
}

const latelyOf = (progress: readonly StateTotal[]): View["recent_amounts"] =>
  statusBreakdowns([], progress).map(({ currency, minorDigits, parts }) => ({
    currency,
    parts: PARTS.map((part) => {
      const { count, minor } = parts[part];
      return { part, count, amount: formatMoney({ currency, minor, minorDigits }) };
    }),
  }));

function partsOf(progress: readonly Progress[]): View["batches"][number]["parts"] {
  const byPart = Map.groupBy(progress, ({ state }) => PART_OF_STATE[state]);
  return PARTS.map((part) => ({
    part,
    count: (byPart.get(part) ?? []).reduce((sum, { count }) => sum + count, 0),
  }));
}
