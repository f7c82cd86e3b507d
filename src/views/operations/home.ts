import type { z } from "zod";
import type { HomeView } from "#api/operations/home.ts";
import { equationsOf, PART_OF, PARTS } from "#approval/status-breakdown.ts";
import { openCauses } from "#intake/batch/quarantine.ts";
import { totalsOf } from "#flows/approval/approve.ts";
import type { Desk } from "#views/deps.ts";
import { summed } from "#views/operations/overview.ts";
import { sendView } from "#views/schedule/send-view.ts";
import { listBatches } from "#ledger/payout/batches.ts";
import type { Progress } from "#ledger/ledger.ts";
import { heapsOf } from "#ledger/operations/overview.ts";
import { closingsWaiting } from "#ledger/payout/manual-resolution.ts";
import { namesOf } from "#ledger/people/names.ts";
import { atWorkSince, type Counted } from "#ledger/payout/progress.ts";
import { quarantines } from "#ledger/intake/quarantine.ts";
import { sendingsOf } from "#ledger/schedule/send-times.ts";
import { batchNames } from "#ledger/intake/batch-description.ts";
import { waitEndingsWaiting } from "#ledger/payout/wait-endings.ts";
import { amountOf, formatMoney } from "#money/format.ts";

type View = z.output<typeof HomeView>;

const BATCHES_MAX = 12;
const PROPOSALS_MAX = 5;
const DAY_MS = 24 * 3_600_000;

/** Returns the first page as every user may see it. */
export async function homeView(_id: string, { database, ledger, clock }: Desk): Promise<View> {
  const nowMs = clock.nowMs();
  const newest = await listBatches(database, BATCHES_MAX);
  const shown = newest.filter(({ createdAt }) => createdAt.getTime() > nowMs - 7 * DAY_MS);
  const ids = shown.map(({ id }) => id);
  const [inDoubt, held, closings, waitEndings, lately, nameOf, names, sendings, ...progress] =
    await Promise.all([
      heapsOf(database, "in_doubt"),
      heapsOf(database, "on_hold"),
      closingsWaiting(database, PROPOSALS_MAX),
      waitEndingsWaiting(database, PROPOSALS_MAX),
      atWorkSince(database, new Date(nowMs - DAY_MS)),
      namesOf(
        database,
        shown.map(({ maker }) => maker),
      ),
      batchNames(database, ids),
      sendingsOf(database, ids),
      ...ids.map((id) => ledger.payout.progressOf(id)),
    ]);
  const quarantined = await quarantines(database, ids);
  return {
    in_doubt: summed(inDoubt).shown,
    on_hold: summed(held).shown,
    resolutions: closings,
    wait_endings: waitEndings,
    recent_amounts: latelyOf(lately),
    batches: shown.map((batch, at) => ({
      batch_id: batch.id,
      file: batch.fileName,
      name: names.get(batch.id) ?? null,
      state: batch.state,
      quarantined: openCauses(quarantined.get(batch.id) ?? []).length > 0,
      send: sendView(sendings.get(batch.id)),
      created_at: batch.createdAt.toISOString(),
      maker: { actor: batch.maker, name: nameOf(batch.maker) },
      payouts: batch.lanes.reduce((sum, { rows }) => sum + rows, 0),
      totals: [...totalsOf(batch).values()].map(amountOf),
      parts: partsOf(progress[at] ?? []),
    })),
    is_empty: newest.length === 0,
  };
}

const latelyOf = (progress: readonly Counted[]): View["recent_amounts"] =>
  equationsOf([], progress).map(({ currency, minorDigits, parts }) => ({
    currency,
    parts: PARTS.map((part) => {
      const { count, minor } = parts[part];
      return { part, count, amount: formatMoney({ currency, minor, minorDigits }) };
    }),
  }));

function partsOf(progress: readonly Progress[]): View["batches"][number]["parts"] {
  const byPart = Map.groupBy(progress, ({ state }) => PART_OF[state]);
  return PARTS.map((part) => ({
    part,
    count: (byPart.get(part) ?? []).reduce((sum, { count }) => sum + count, 0),
  }));
}
