/** A ledger with finished batches of mixed results, and the figures that archiving must keep. */
import { findDailyFees } from "#ledger/payout/lane/daily-fees.ts";
import { findDailyResults, mergeDailyResults } from "#ledger/payout/lane/daily-results.ts";
import { findReportTotals } from "#ledger/payout/lane/report-totals.ts";
import { findEvents } from "#ledger/feed/find-events.ts";
import { publishEvents } from "#ledger/feed/publish-events.ts";
import { verifyLedger } from "#ledger/integrity/audit-states.ts";
import { findFailureGroups } from "#ledger/operations/failure-groups.ts";
import { countProgress, progressOf } from "#ledger/payout/progress.ts";
import { listPayouts } from "#ledger/payout/search/payouts.ts";
import { moveFinished } from "#ledger/payout/finish.ts";
import type { Move } from "#ledger/payout/transitions.ts";
import { approvedBatch, claimOf, laneIn, type TestLedger } from "../ledger.ts";
import { query } from "../servers/postgres.ts";

/** Returns numbers from 0 to 1 that depend only on the seed. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const CURRENCIES = ["INR", "THB"] as const;

/** Pays batches of random sizes to random results. Returns their IDs. */
export async function payMixedBatches(
  open: TestLedger,
  { batches, rows, random }: { batches: number; rows: number; random: () => number },
): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 0; at < batches; at += 1) {
    const many = 1 + Math.floor(random() * rows);
    const made = Array.from({ length: many }, (_, index) => ({
      currency: random() < 0.8 ? CURRENCIES[0] : CURRENCIES[1],
      amount: `${1 + Math.floor(random() * 9_000)}.${String(Math.floor(random() * 99)).padStart(2, "0")}`,
      account: `5010000${String(at).padStart(3, "0")}${String(index).padStart(4, "0")}`,
    }));
    const { id } = await approvedBatch(open.ledger, made);
    await finish(open, id, random);
    ids.push(id);
  }
  while ((await publishEvents(open.database)) > 0);
  await mergeDailyResults(open.database);
  return ids;
}

async function finish(open: TestLedger, batchId: string, random: () => number): Promise<void> {
  const { payout } = open.ledger;
  for (const currency of CURRENCIES) {
    for (;;) {
      const attempts = await payout.openAttempts(claimOf(batchId, { lane: laneIn(currency) }));
      if (attempts.length === 0) break;
      for (const attempt of attempts) await end(open, attempt, currency, random());
    }
  }
  await payout.finishBatch(batchId);
}

async function end(
  open: TestLedger,
  { payoutId, seq }: { payoutId: number; seq: number },
  currency: string,
  chance: number,
): Promise<void> {
  const { payout } = open.ledger;
  const move: Move = {
    payoutId,
    seq,
    from: "submitting",
    event: "accept",
    reason: null,
    dueInMs: 0,
    actor: "test",
    gatewayNumber: `WD${payoutId}X`,
    evidence: { kind: "answer", attempt: 1, facts: { text: "accepted “✓”", ms: 12.5 } },
  };
  if (chance < 0.15) {
    await payout.move({
      ...move,
      event: "decline",
      reason: "failed_at_gateway",
      gatewayNumber: null,
    });
    return;
  }
  await payout.move(move);
  const fee = {
    kind: "read",
    fee: { currency, minor: BigInt(payoutId % 90), minorDigits: 2 },
  } as const;
  const answer = { kind: "status", attempt: null, facts: { status: "Completed" } } as const;
  const settle = { ...move, seq: seq + 1, from: "accepted", event: "settle" } as const;
  await payout.move({ ...settle, evidence: answer, ...(chance < 0.7 && { fee }) });
  if (chance > 0.9) await returnPayout(open, payoutId);
}

/** The gateway reports a settled payout as returned. */
export async function returnPayout(open: TestLedger, payoutId: number): Promise<void> {
  const [row] = await query(open.url, "select seq from payouts where id = $1", [payoutId]);
  const move: Move = {
    payoutId,
    seq: Number(row?.["seq"]),
    from: "settled",
    event: "return",
    reason: "returned_by_gateway",
    dueInMs: 0,
    actor: "test",
    evidence: { kind: "status", attempt: null, facts: { status: "Returned" } },
  };
  await open.database
    .transaction()
    .execute((transaction) => moveFinished(transaction, move, new Date()));
}

const DAY_MS = 24 * 3_600_000;
const dayAt = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Details of beneficiaries, which archives contain. */
const HIDDEN = {
  userId: null,
  beneficiary: null,
  accountLast4: null,
  bankName: null,
  reference: null,
};

/** Returns every figure that people and programs read. Details of beneficiaries are left out. */
export async function figuresOf(open: TestLedger, batchIds: readonly string[]) {
  const { database, sealer } = open;
  const period = { from: dayAt(Date.now() - DAY_MS), to: dayAt(Date.now() + DAY_MS) };
  const counts = await query(
    open.url,
    `select batch_id, lane, currency, state, sum(payouts)::text, sum(amount_minor)::text, sum(fee_minor)::text
     from payout_counts group by 1, 2, 3, 4 having sum(payouts) <> 0 order by 1, 2, 3, 4`,
  );
  const batches = await query(
    open.url,
    "select id, state, rows, digest, content_digest, outcome, finished_at from batches order by id",
  );
  const listed = await listPayouts(
    database,
    sealer,
    {},
    { sort: "oldest", limit: 10_000, after: null },
  );
  const failures = await findFailureGroups(database, sealer, ["declined", "returned"], {});
  return {
    counts,
    batches,
    progress: await Promise.all(batchIds.map((id) => progressOf(database, id))),
    counted: await Promise.all(batchIds.map((id) => countProgress(database, id))),
    payouts: listed.items.map((each) => ({ ...each, ...HIDDEN })),
    failures,
    events: (await findEvents(database, { after: 0, limit: 10_000 })).events,
    report: await findReportTotals(database, { ...period, zone: "UTC" }),
    otherZone: await findReportTotals(database, { ...period, zone: "Asia/Kolkata" }),
    fees: await findDailyFees(database, { ...period, zone: "UTC" }),
    days: await findDailyResults(database, 3),
    isIntact: (await verifyLedger(database)).intact,
  };
}

/** Returns every row of the tables that archiving changes, as text. */
export async function rowsOf(open: TestLedger): Promise<string[]> {
  const tables = ["payouts", "payout_details", "attempts", "evidence", "transitions"];
  const found = await Promise.all(
    tables.map((table) => query(open.url, `select t::text as text from ${table} t order by 1`)),
  );
  return found.flat().map((row) => String(row["text"]));
}
