import type { z } from "zod";
import type { APPROVAL_API } from "#api/approval/approvals.ts";
import { type DecisiveFinding, decisiveFindings } from "#approval/acknowledgements.ts";
import { OVERLAP_CHECK } from "#approval/possible-duplicates.ts";
import {
  PREVIOUS_BATCHES,
  isRetryCheck,
  needsAttention,
  NEW_ACCOUNT_CHECKS,
  ratioInHundredths,
  ROW_CHECKS,
  type RowCheck,
  timesText,
  compareTotal,
} from "#approval/anomalies.ts";
import { findBatchStatuses } from "#views/schedule/batch-status.ts";
import { sentByDefault } from "#views/approval/default-values.ts";
import type { ServerDeps } from "#views/deps.ts";
import { type Batch, findBatches } from "#ledger/payout/batches.ts";
import {
  storeAnomalies,
  findStoredAnomalies,
  type StoredAnomalies,
} from "#ledger/approval/stored-anomalies.ts";
import { findAnomalies } from "#ledger/approval/flagged-rows.ts";
import {
  type PossibleDuplicates,
  findPossibleDuplicates,
} from "#ledger/approval/possible-duplicates.ts";
import { overrideAnomalies, findOverrides } from "#ledger/approval/overrides.ts";
import { moneyOf } from "#ledger/store/tables.ts";
import { retryChanges } from "#views/approval/retry-changes.ts";
import {
  type AnomalyFinding,
  countOf,
  findingsOfAnomalies,
  findEarlierTotals,
} from "#ledger/approval/anomalies.ts";
import { amountOf, formatMoney } from "#money/format.ts";

type Sheet = z.output<(typeof APPROVAL_API)["GET /api/batches/:id/approval"]["answer"]>;
type AnomaliesDocument = NonNullable<Sheet["anomalies"]>;

/**
 * Number of rows from which analysing a batch takes longer than a user should wait. Such a batch is
 * analysed once, and the result is stored.
 */
export const LARGE_BATCH_ROWS = 2_000;
/** Milliseconds that a page waits for the analysis. */
const PATIENCE_MS = 800;
/**
 * Milliseconds after which a result is old: earlier payouts may have settled or been returned
 * since. An older result is shown, and the batch is analysed again.
 */
export const FRESH_MS = 600_000;

/** Returns the anomalies of a batch. Null: the analysis is running. */
export async function findAnomaliesOf(
  batch: Batch,
  deps: ServerDeps,
): Promise<AnomaliesDocument | null> {
  const found = await analysisOf(batch, deps);
  return found && anomaliesDocument(batch, deps, found);
}

/** Returns the checks that found each row. Null: the analysis is running. */
export async function findRowChecks(batch: Batch, deps: ServerDeps): Promise<RowChecks | null> {
  const found = await analysisOf(batch, deps);
  if (!found) return null;
  const { flags, flaggedRows } = found;
  const byRow = Map.groupBy(flags, ({ id }) => id);
  return {
    checks: new Map([...byRow].map(([id, some]) => [id, some.map(({ check }) => check)])),
    flaggedRows,
    newAccounts: NEW_ACCOUNT_CHECKS.reduce((sum, check) => sum + countOf(check, flags), 0),
  };
}

/** Returns the findings that an approver must acknowledge. Null: the analysis is running. */
export async function findingsToAcknowledge(
  batch: Batch,
  deps: ServerDeps,
): Promise<readonly DecisiveFinding[] | null> {
  const found = await analysisOf(batch, deps);
  return found && decisiveFindingsOf(found);
}

const decisiveFindingsOf = ({
  flags,
  possibleDuplicates: { overlaps },
}: StoredAnomalies): DecisiveFinding[] =>
  decisiveFindings({ rowsOf: (check) => countOf(check, flags), overlaps });

/** The checks that found rows. Only the largest rows of each check are named. */
export interface RowChecks {
  /** By payout ID. */
  readonly checks: ReadonlyMap<number, readonly RowCheck[]>;
  /** Number of rows that any check found. */
  readonly flaggedRows: number;
  /** Number of rows whose account was never paid. */
  readonly newAccounts: number;
}

async function analysisOf(batch: Batch, deps: ServerDeps): Promise<StoredAnomalies | null> {
  if (batch.rows < LARGE_BATCH_ROWS) return analyse(batch, deps);
  const kept = await findStoredAnomalies(deps.database, analysisKey(batch, deps));
  if (kept && kept.at.getTime() > deps.clock.nowMs() - FRESH_MS) return kept;
  const looking = analyseOnce(batch, deps);
  return kept ?? ((await Promise.race([looking, deps.clock.sleep(PATIENCE_MS)])) || null);
}

/**
 * Whether the anomalies of the batch in its current version could be shown to an approver. If not,
 * the analysis is started.
 */
export async function isAnalysed(batch: Batch, deps: ServerDeps): Promise<boolean> {
  if (
    batch.rows < LARGE_BATCH_ROWS ||
    (await findStoredAnomalies(deps.database, analysisKey(batch, deps)))
  )
    return true;
  void analyseOnce(batch, deps);
  return false;
}

/** Starts the analysis before the first approver opens the batch. */
export function analyseAhead(batch: Batch, deps: ServerDeps): void {
  if (batch.rows >= LARGE_BATCH_ROWS) void analyseOnce(batch, deps);
}

const analysisKey = ({ id, contentDigest }: Batch, { rows }: ServerDeps) => ({
  batchId: id,
  contentDigest,
  limits: rows.amountLimits,
});

async function analyse(batch: Batch, deps: ServerDeps): Promise<StoredAnomalies> {
  const { database, sealer, rows, clock } = deps;
  const at = new Date(clock.nowMs());
  const codeOf = (lane: string) => sentByDefault(lane, deps.deps).payoutCode;
  const overrides = await findOverrides(database, sealer, batch, codeOf);
  const near = await findPossibleDuplicates(database, sealer, batch.id);
  const { flags: nearFlags, rowIds, oneDigitOff, ...possibleDuplicates } = near;
  const others = [...overrides.map(({ row }) => row.id), ...rowIds];
  const { flags, flaggedRows } = await findAnomalies(database, batch.id, rows.amountLimits, {
    others,
    oneDigitOff,
  });
  const own = overrideAnomalies(overrides);
  return { flags: [...own, ...flags, ...nearFlags], flaggedRows, possibleDuplicates, at };
}

const running = new Map<string, Promise<StoredAnomalies | null>>();

/**
 * Runs one analysis per batch, regardless of the number of requests. Resolves to null if it failed;
 * the next request tries again.
 */
export function analyseOnce(batch: Batch, deps: ServerDeps): Promise<StoredAnomalies | null> {
  const key = `${batch.id} ${batch.contentDigest}`;
  const begun = running.get(key) ?? analyseAndStore(batch, deps).finally(() => running.delete(key));
  running.set(key, begun);
  return begun;
}

async function analyseAndStore(batch: Batch, deps: ServerDeps): Promise<StoredAnomalies | null> {
  try {
    const looked = await analyse(batch, deps);
    await storeAnomalies(deps.database, analysisKey(batch, deps), looked);
    return looked;
  } catch (error) {
    deps.log.warn({ err: error, batch: batch.id }, "failed to search for anomalies");
    return null;
  }
}

async function anomaliesDocument(
  { id }: Batch,
  deps: ServerDeps,
  looked: StoredAnomalies,
): Promise<AnomaliesDocument> {
  const { flags, possibleDuplicates, at } = looked;
  const { database, sealer } = deps;
  const [found, totals, overlaps, changes] = await Promise.all([
    findingsOfAnomalies(database, sealer, flags, id),
    findEarlierTotals(database, id),
    shownOverlaps(possibleDuplicates, deps),
    flags.some(({ check }) => isRetryCheck(check)) ? retryChanges(database, sealer, id) : [],
  ]);
  const changesOf = new Map(changes.map(({ code, changes }) => [code, changes]));
  return {
    at: at.toISOString(),
    found: found.map((each) => shownFinding(each, changesOf)),
    overlaps,
    to_acknowledge: decisiveFindingsOf(looked),
    limited_checks: possibleDuplicates.cut.map((check) => ROW_CHECKS[check]),
    totals: totals.map(({ total, before }) => {
      const against = compareTotal(total.minor, before);
      return {
        ...amountOf(total),
        usual: against && formatMoney({ ...total, minor: against.median }),
        times: against && timesText(against.ratio),
        batches: before.length,
        is_unusual: against?.isUnusual ?? false,
      };
    }),
    checks: [
      ...Object.values(ROW_CHECKS),
      OVERLAP_CHECK,
      `a total that differs greatly from the totals of the last ${PREVIOUS_BATCHES} batches in its currency`,
    ],
  };
}

/** Returns the overlaps, each with the current state of its batch. */
async function shownOverlaps(
  { overlaps }: PossibleDuplicates,
  { database }: ServerDeps,
): Promise<AnomaliesDocument["overlaps"]> {
  const ids = overlaps.map(({ batchId }) => batchId);
  const batches = new Map((await findBatches(database, ids)).map((batch) => [batch.id, batch]));
  const statusOf = await findBatchStatuses(database, ids);
  return overlaps.flatMap(({ batchId, rows, percent, sums }) => {
    const batch = batches.get(batchId);
    if (!batch) return [];
    return {
      batch_id: batchId,
      file: batch.fileName,
      name: batch.name,
      purpose: batch.purpose,
      state: batch.state,
      ...statusOf(batchId),
      created_at: batch.createdAt.toISOString(),
      rows,
      percent,
      sums: sums.map((sum) => amountOf(moneyOf(sum))),
    };
  });
}

type Changes = AnomaliesDocument["found"][number]["rows"][number]["changes"];

const shownFinding = (
  { check, count, sums, rows }: AnomalyFinding,
  /** The changes of a retry, by the code of its payout. */
  changesOf: ReadonlyMap<string, Changes>,
): AnomaliesDocument["found"][number] => ({
  check,
  says: ROW_CHECKS[check],
  attention: needsAttention(check),
  count,
  sums: sums.map(amountOf),
  rows: rows.map(
    ({ line, transactionCode, name, accountLast4, money, against, own, warnings, elsewhere }) => ({
      line,
      code: transactionCode,
      beneficiary: name,
      account_last4: accountLast4,
      ...amountOf(money),
      against: against && formatMoney(against),
      own,
      warnings: [...warnings],
      changes: isRetryCheck(check) ? (changesOf.get(transactionCode) ?? []) : [],
      times: against && timesText(ratioInHundredths(money.minor, against.minor)),
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
