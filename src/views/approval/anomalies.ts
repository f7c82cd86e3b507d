import type { z } from "zod";
import type { APPROVAL_API } from "#api/approval/approvals.ts";
import { OVERLAP_CHECK } from "#approval/possible-duplicates.ts";
import {
  BATCHES_BEFORE,
  hundredths,
  ROW_CHECKS,
  timesText,
  totalAgainst,
} from "#approval/anomalies.ts";
import { sendView } from "#views/schedule/send-view.ts";
import { sentByDefault } from "#views/approval/default-values.ts";
import type { Desk } from "#views/deps.ts";
import { type Batch, batchesOf } from "#ledger/payout/batches.ts";
import { keepFlags, keptFlags, type Looked } from "#ledger/approval/stored-anomalies.ts";
import { flaggedRows } from "#ledger/approval/flagged-rows.ts";
import { type Near, nearIn } from "#ledger/approval/possible-duplicates.ts";
import { overrideFlags, overridesIn } from "#ledger/approval/overrides.ts";
import { moneyOf } from "#ledger/store/tables.ts";
import { sendingsOf } from "#ledger/schedule/send-times.ts";
import { type RowFinding, rowFindingsOf, totalsBefore } from "#ledger/approval/anomalies.ts";
import { amountOf, formatMoney } from "#money/format.ts";

type Sheet = z.output<(typeof APPROVAL_API)["GET /api/batches/:id/approval"]["answer"]>;
type Unusual = NonNullable<Sheet["anomalies"]>;

/**
 * Number of rows from which analysing a batch takes longer than a user should wait. Such a batch is
 * analysed once, and the result is stored.
 */
export const LARGE_ROWS = 2_000;
/** Milliseconds that a page waits for the analysis. */
const PATIENCE_MS = 800;
/**
 * Milliseconds after which a result is old: earlier payouts may have settled or been returned
 * since. An older result is shown, and the batch is analysed again.
 */
const FRESH_MS = 600_000;

/** Returns the anomalies of a batch. Null: the analysis is running. */
export async function unusualIn(batch: Batch, desk: Desk): Promise<Unusual | null> {
  if (batch.rows < LARGE_ROWS) return shown(batch, desk, await look(batch, desk));
  const kept = await keptFlags(desk.database, lookedFor(batch, desk));
  if (kept && kept.at.getTime() > desk.clock.nowMs() - FRESH_MS) return shown(batch, desk, kept);
  const looking = lookOnce(batch, desk);
  if (kept) return shown(batch, desk, kept);
  const found = await Promise.race([looking, desk.clock.sleep(PATIENCE_MS)]);
  return found ? shown(batch, desk, found) : null;
}

/**
 * Whether the anomalies of the batch in its current version could be shown to an approver. If not,
 * the analysis is started.
 */
export async function isLookedThrough(batch: Batch, desk: Desk): Promise<boolean> {
  if (batch.rows < LARGE_ROWS || (await keptFlags(desk.database, lookedFor(batch, desk))))
    return true;
  void lookOnce(batch, desk);
  return false;
}

/** Starts the analysis before the first approver opens the batch. */
export function lookAhead(batch: Batch, desk: Desk): void {
  if (batch.rows >= LARGE_ROWS) void lookOnce(batch, desk);
}

const lookedFor = ({ id, contentDigest }: Batch, { rows }: Desk) => ({
  batchId: id,
  contentDigest,
  limits: rows.amountLimits,
});

async function look(batch: Batch, desk: Desk): Promise<Looked> {
  const { database, sealer, rows, clock } = desk;
  const at = new Date(clock.nowMs());
  const codeOf = (lane: string) => sentByDefault(lane, desk.deps).payoutCode;
  const own = overrideFlags(await overridesIn(database, sealer, batch, codeOf));
  const flags = await flaggedRows(database, batch.id, rows.amountLimits);
  const { flags: nearFlags, ...near } = await nearIn(database, sealer, batch.id);
  return { flags: [...own, ...flags, ...nearFlags], near, at };
}

const looking = new Map<string, Promise<Looked | null>>();

/**
 * Runs one analysis per batch, regardless of the number of requests. Resolves to null if it failed;
 * the next request tries again.
 */
function lookOnce(batch: Batch, desk: Desk): Promise<Looked | null> {
  const key = `${batch.id} ${batch.contentDigest}`;
  const begun = looking.get(key) ?? lookAndKeep(batch, desk).finally(() => looking.delete(key));
  looking.set(key, begun);
  return begun;
}

async function lookAndKeep(batch: Batch, desk: Desk): Promise<Looked | null> {
  try {
    const looked = await look(batch, desk);
    await keepFlags(desk.database, lookedFor(batch, desk), looked);
    return looked;
  } catch (error) {
    desk.log.warn({ err: error, batch: batch.id }, "failed to search for anomalies");
    return null;
  }
}

async function shown({ id }: Batch, desk: Desk, { flags, near, at }: Looked): Promise<Unusual> {
  const { database, sealer } = desk;
  const [found, totals, overlaps] = await Promise.all([
    rowFindingsOf(database, sealer, flags),
    totalsBefore(database, id),
    shownOverlaps(near, desk),
  ]);
  return {
    at: at.toISOString(),
    found: found.map(shownFinding),
    overlaps,
    limited_checks: near.cut.map((check) => ROW_CHECKS[check]),
    totals: totals.map(({ total, before }) => {
      const against = totalAgainst(total.minor, before);
      return {
        ...amountOf(total),
        usual: against && formatMoney({ ...total, minor: against.middle }),
        times: against && timesText(against.ratio),
        batches: before.length,
        is_unusual: against?.isFar ?? false,
      };
    }),
    checks: [
      ...Object.values(ROW_CHECKS),
      OVERLAP_CHECK,
      `a total that differs greatly from the totals of the last ${BATCHES_BEFORE} batches in its currency`,
    ],
  };
}

/** Returns the overlaps, each with the current state of its batch. */
async function shownOverlaps({ overlaps }: Near, { database }: Desk): Promise<Unusual["overlaps"]> {
  const ids = overlaps.map(({ batchId }) => batchId);
  const batches = new Map((await batchesOf(database, ids)).map((batch) => [batch.id, batch]));
  const sendings = await sendingsOf(database, ids);
  return overlaps.flatMap(({ batchId, rows, percent, sums }) => {
    const batch = batches.get(batchId);
    if (!batch) return [];
    return {
      batch_id: batchId,
      file: batch.fileName,
      name: batch.name,
      state: batch.state,
      send: sendView(sendings.get(batchId)),
      created_at: batch.createdAt.toISOString(),
      rows,
      percent,
      sums: sums.map((sum) => amountOf(moneyOf(sum))),
    };
  });
}

const shownFinding = ({ check, count, sums, rows }: RowFinding): Unusual["found"][number] => ({
  check,
  says: ROW_CHECKS[check],
  count,
  sums: sums.map(amountOf),
  rows: rows.map(
    ({ line, transactionCode, name, accountLast4, money, against, own, elsewhere }) => ({
      line,
      code: transactionCode,
      beneficiary: name,
      account_last4: accountLast4,
      ...amountOf(money),
      against: against && formatMoney(against),
      own,
      times: against && timesText(hundredths(money.minor, against.minor)),
      elsewhere: elsewhere && {
        batch_id: elsewhere.batchId,
        line: elsewhere.line,
        beneficiary: elsewhere.name,
        account_last4: elsewhere.accountLast4,
        one_off_at: elsewhere.oneOffAt,
      },
    }),
  ),
});
