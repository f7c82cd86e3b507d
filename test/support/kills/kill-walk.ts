import { Readable } from "node:stream";
import { join } from "node:path";
import { readConfig } from "#app/config.ts";
import { approve, totalsOf } from "#flows/approval/approve.ts";
import { ingest } from "#flows/intake/ingest.ts";
import { reportRows } from "#ledger/intake/batch-rows.ts";
import { isFinal } from "#payout/payout-lifecycle.ts";
import { openPayrun, type Payrun } from "#app/wiring.ts";
import { eventually } from "../servers/eventually.ts";
import { logByCode } from "../servers/transaction-log.ts";
import { ANSWERS, type Kill, KILLS, ROWS_PER_KILL } from "./kill-table.ts";
import { type Env, fileText, rowsOf, startPayrun, startScript } from "../servers/payrun.ts";
import type { SimulatorProcess } from "../servers/simulator.ts";

export interface WalkResult {
  readonly kills: number;
  /** Codes that the gateway's transaction log accepted more than once. */
  readonly confirmedTwice: readonly string[];
  /** Payouts whose result does not match what the gateway did. */
  readonly lost: readonly string[];
  /** Kills whose worker did not die at the expected step. */
  readonly missed: readonly string[];
}

export const summaryLine = ({ kills, confirmedTwice, lost }: WalkResult): string =>
  `payouts confirmed twice: ${confirmedTwice.length}, lost: ${lost.length} over ${kills} kills`;

const WORKER = join(import.meta.dirname, "crashing-worker.ts");
/** A batch finishes after several status queries per payout, which take time on a busy machine. */
const DIES_WITHIN_MS = 60_000;

/** Fault rules for the gateway of a kill test. */
export const walkFaults = (): Readonly<Record<string, unknown>>[] =>
  Object.entries(ANSWERS).flatMap(([answer, { rule }]) =>
    rule === null ? [] : [{ ...rule, code: `${answer}*` }],
  );

/**
 * One batch per kill, in which a worker dies at its step. Then two healthy workers finish
 * everything, and the gateway's transaction log is compared with payrun's report. The ledger is
 * the one of `env`, used by no other process.
 */
export async function walkKills(
  env: Env,
  gateway: SimulatorProcess,
  kills: readonly Kill[] = KILLS,
): Promise<WalkResult> {
  const payrun = await openPayrun(readConfig({ ...env, LOG_LEVEL: "silent" }));
  const healthy: ReturnType<typeof startPayrun>[] = [];
  try {
    const batches: { kill: Kill; batchId: string }[] = [];
    for (const [index, kill] of kills.entries()) {
      batches.push({ kill, batchId: await approvedBatch(kill, index, payrun) });
    }
    const missed: string[] = [];
    // One at a time: two workers on one queue would take and finish each other's jobs.
    for (const { kill, batchId } of batches) {
      const why = await killOne(kill, batchId, env);
      if (why !== null) missed.push(`${kill.boundary} ${kill.when} ${kill.answer}: ${why}`);
    }

    healthy.push(startPayrun(["worker"], env), startPayrun(["worker"], env));
    const unended = () =>
      openPayouts(
        batches.map(({ batchId }) => batchId),
        payrun,
      );
    await eventually("every payout ends", async () => (await unended()) === 0, 150_000).catch(
      () => {}, // an unfinished payout is counted as lost
    );
    return { kills: kills.length, missed, ...(await compare(batches, gateway, payrun)) };
  } finally {
    await Promise.all(healthy.map((worker) => worker.end("SIGTERM")));
    await payrun.close();
  }
}

async function approvedBatch({ answer }: Kill, index: number, payrun: Payrun): Promise<string> {
  const { ledger, keyring, rows } = payrun;
  const { currency } = ANSWERS[answer];
  const text = fileText(
    rowsOf(ROWS_PER_KILL, (row) => ({ code: `${answer}-${index}-${row}`, currency })),
  );
  const open = () => Readable.from([Buffer.from(text)]) as AsyncIterable<Uint8Array>;
  const taken = await ingest({ fileName: answer, open, actor: "test" }, { ledger, keyring, rows });
  if (!taken.ok) throw new Error(JSON.stringify(taken.error));
  const { batch, problems } = taken.value;
  const approval = { actor: "test", contentDigest: batch.contentDigest, totals: totalsOf(batch) };
  const approved = await approve(batch.id, approval, { ledger });
  if (!approved.ok) throw new Error(JSON.stringify([approved.error, problems]));
  return batch.id;
}

/** Null: the worker died at its step. Otherwise what happened instead. */
async function killOne(kill: Kill, batchId: string, env: Env): Promise<string | null> {
  const worker = startScript(WORKER, [JSON.stringify({ ...kill, batchId })], env);
  const timer = setTimeout(() => worker.child.kill("SIGTERM"), DIES_WITHIN_MS);
  const { signal, code, stderr } = await worker.ended;
  clearTimeout(timer);
  return signal === "SIGKILL" ? null : `ended with ${signal ?? code}: ${stderr.slice(-500)}`;
}

async function openPayouts(batchIds: readonly string[], { ledger }: Payrun): Promise<number> {
  const progress = await Promise.all(batchIds.map((id) => ledger.payout.progressOf(id)));
  return progress.flat().reduce((sum, part) => sum + (isFinal(part.state) ? 0 : part.count), 0);
}

async function compare(
  batches: readonly { kill: Kill; batchId: string }[],
  gateway: SimulatorProcess,
  { database, sealer }: Payrun,
): Promise<Pick<WalkResult, "confirmedTwice" | "lost">> {
  const book = logByCode(await gateway.log());
  const lost: string[] = [];
  const ours = new Set<string | null>();
  for (const { kill, batchId } of batches) {
    const ends: readonly string[] = ANSWERS[kill.answer].ends;
    let rows = 0;
    for await (const { transactionCode, state, reason } of reportRows(database, sealer, batchId)) {
      rows += 1;
      ours.add(transactionCode);
      const booked = book.get(transactionCode ?? "");
      const isPaid =
        booked !== undefined && booked.accepted > 0 && booked.ended.includes("settled");
      const what = `${transactionCode} (${kill.boundary} ${kill.when}): ${state} ${reason ?? ""}`;
      if (!ends.includes(state)) lost.push(what);
      else if (isPaid !== (state === "settled")) lost.push(`${what}, book differs`);
    }
    if (rows !== ROWS_PER_KILL) lost.push(`${batchId} has ${rows} rows`);
  }
  // A code in no report is a payout that was sent again under another code.
  const twice = [...book].flatMap(([code, { accepted }]) =>
    accepted > 1 || (accepted > 0 && !ours.has(code)) ? [code] : [],
  );
  return { confirmedTwice: twice, lost };
}
