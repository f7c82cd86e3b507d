import { PRIORITIES } from "#payout/priority.ts";
import { approve, totalsOf } from "#flows/approval/approve.ts";
import { releaseCanary } from "#flows/payout/lane/canaries.ts";
import { cancelBatch, pauseBatch, resumeBatch } from "#flows/payout/lane/control-batch.ts";
import { ingest } from "#flows/intake/ingest.ts";
import { createRetryBatch } from "#flows/payout/retry-batch.ts";
import type { PayingLedger } from "#ledger/ledger.ts";
import type { SendTime } from "#schedule/release.ts";
import { actOnMany } from "#proof/simulation/operators/bulk-actions.ts";
import type { Checker } from "./checker.ts";
import type { Tables } from "#proof/simulation/ledger/tables.ts";
import { EPOCH_MS, type SimProcess } from "#proof/simulation/world/process.ts";
import { pauseSome } from "#proof/simulation/operators/pause-model.ts";
import { retryOrder } from "./retry-order.ts";
import type { File } from "./scenario.ts";
import type { Faults } from "#proof/simulation/run/fault-injector.ts";

export interface OperatorContext {
  readonly life: SimProcess;
  readonly ledger: PayingLedger;
  readonly ingestDeps: Parameters<typeof ingest>[1];
  readonly faults: Faults;
  readonly checker: Checker;
  readonly tables: Tables;
  /** The gateway's statement of now. */
  readonly statement: (isExact: boolean) => Tables["listed"];
  /** State that outlives the process: people and their records. */
  readonly records: {
    /** How often the declined payouts of a file are retried. */
    readonly depths: readonly number[];
    /** Files whose payment they have seen completed. */
    readonly paid: Set<File>;
    /** The ledger was restored, and no operator has checked yet which files it has lost. */
    isRestored: boolean;
    /** The ledger's event count when a check last found nothing to retry. */
    seen: number;
  };
  /** Send times of the batches that have one. */
  readonly timed: Map<string, Date>;
}

/**
 * Model of the operators: they pay the files repeatedly until it works, open lanes that need a
 * person, and pause, resume and cancel in mid-run. Their process may crash like any other. Then
 * they start again, sometimes even with completed files.
 */
export async function runOperators(
  files: readonly File[],
  context: OperatorContext,
): Promise<never> {
  const { life: proc, faults, records } = context;
  const { random } = proc.world;
  for (const file of files) {
    if (records.paid.has(file) && !random.isTrue(RETRY_SHARE)) continue;
    while (!(await attempted(() => pay(file, context))))
      await proc.wait(random.between(500, 5_000));
    records.paid.add(file);
    await proc.wait(random.between(0, 3_000));
  }
  for (;;) {
    await proc.wait(faults.isOver ? 60_000 : random.between(3_000, 40_000));
    await attempted(() => resumeStopped(context));
    await attempted(() => actOnMany(context));
    // While the ledger is frozen, or after it was unfrozen.
    const isLookedFor = records.isRestored && (faults.isOver || random.isTrue(0.5));
    if (isLookedFor && (await attempted(() => payLost(files, context)))) records.isRestored = false;
    const { length } = context.tables.journal;
    const isNews = length !== records.seen && (faults.isOver || random.isTrue(RETRY_CHECK_SHARE));
    if (isNews && (await attempted(() => retryDeclined(files, context)))) records.seen = length;
  }
}

/** How often a check also looks for declined payouts to retry. */
const RETRY_CHECK_SHARE = 0.5;
const RETRY_SHARE = 0.3;

/**
 * The same file again is the same batch: after any failure, the instructions say to repeat `pay
 * FILE`.
 */
async function pay(file: File, context: OperatorContext): Promise<void> {
  const { ledger, ingestDeps, checker, timed, faults, life: proc } = context;
  const open = async function* () {
    yield file.bytes;
  };
  const { occurrence, sendAfterMs, canary } = file;
  const upload = { fileName: file.name, open, actor: "maker", canary };
  // A tick may arrive twice, at two processes.
  const [taken, again] = await Promise.all(
    occurrence === null
      ? [ingest(upload, ingestDeps)]
      : [1, 2].map(() => ingest({ ...upload, identity: occurrence }, ingestDeps)),
  );
  if (!taken?.ok) throw new Error(JSON.stringify(taken?.error));
  const { batch } = taken.value;
  if (occurrence !== null) {
    checker.recordOccurrence(occurrence, batch.id);
    if (again?.ok) checker.recordOccurrence(occurrence, again.value.batch.id);
  }
  checker.addBatch(batch.id, file.rows);
  const totals = totalsOf(batch);
  const send = sendAfterMs === null ? null : sendTime(EPOCH_MS + sendAfterMs);
  if (send) {
    checker.timetable.approvedFor(batch.id, send.at);
    timed.set(batch.id, send.at);
  }
  const [first] = batch.lanes;
  if (first && !faults.isClean && proc.world.random.isTrue(0.1))
    await limitLane(first.lane, context);
  await approve(
    batch.id,
    { actor: "checker", contentDigest: batch.contentDigest, totals },
    { ledger, send },
  );
}

/** Uploads the files again that a restored ledger has lost. */
async function payLost(files: readonly File[], context: OperatorContext): Promise<void> {
  for (const file of files) {
    const batch = await context.ledger.payout.findBatch({ digest: file.digest });
    if (batch && batch.state !== "awaiting_approval") continue;
    context.faults.count("lost file uploaded again");
    await pay(file, context);
  }
}

/** Creates and approves the retry batches, down to the depth of each file. */
async function retryDeclined(files: readonly File[], context: OperatorContext): Promise<void> {
  for (const [at, { digest }] of files.entries()) {
    const depth = context.records.depths[at] ?? 0;
    const batch = depth === 0 ? null : await context.ledger.payout.findBatch({ digest });
    if (batch) await retryDeclinedOf(batch.id, depth, context);
  }
}

async function retryDeclinedOf(
  batchId: string,
  depth: number,
  context: OperatorContext,
): Promise<void> {
  if (depth === 0) return;
  const { ledger, ingestDeps, checker, life: proc } = context;
  const made = await createRetryBatch(await retryOrder(batchId, ledger), ingestDeps);
  if (made.ok) proc.world.activity += 1;
  else if (made.error.kind === "frozen") throw new Error("the ledger is frozen");
  for (const id of await ledger.payout.retryBatchesOf(batchId)) {
    checker.allowSecondPayment(id);
    const batch = await ledger.payout.findBatch({ id });
    if (batch?.state === "awaiting_approval") {
      const approval = { actor: "checker", contentDigest: batch.contentDigest };
      await approve(id, { ...approval, totals: totalsOf(batch) }, { ledger });
    }
    await retryDeclinedOf(id, depth - 1, context);
  }
}

const sendTime = (ms: number): SendTime => ({
  at: new Date(ms),
  local: "2026-11-20T08:00",
  zone: "UTC",
  expiresHours: 1,
});

async function resumeStopped(context: OperatorContext): Promise<void> {
  const { life: proc, ledger, faults, timed, checker } = context;
  const { random, nowMs } = proc.world;
  for (const [batchId, at] of timed) {
    const sinceMs = EPOCH_MS + nowMs - at.getTime();
    const change = { batchId, reason: "asked to", actor: "operator" };
    // A held-back batch is checked and sent. A released one is not affected.
    if (sinceMs > LATE_MS) {
      const isLetGo = checker.timetable.recordReschedule(batchId, new Date(EPOCH_MS));
      const isDone = await ledger.schedule.reschedule({ ...change, to: "now" });
      isLetGo(isDone);
      if (isDone) proc.world.activity += 1;
      // A batch restored to a time before its release may wait for the release and for its canary
      // as well.
      const batch = await ledger.payout.findBatch({ id: batchId });
      if (batch?.state === "paused") {
        const lanes = batch.lanes.map(({ lane }) => lane);
        await continueBatch(batchId, lanes, context);
      }
    } else if (sinceMs < 0 && !faults.isOver && random.isTrue(0.1)) {
      const to = sendTime(at.getTime() + random.between(1_000, 60_000));
      const isPutOff = checker.timetable.recordReschedule(batchId, to.at);
      const isDone = await ledger.schedule.reschedule({ ...change, to });
      isPutOff(isDone);
      if (isDone) {
        faults.count("batch rescheduled");
        timed.set(batchId, to.at);
      }
    }
  }
  const freeze = await ledger.integrity.verify();
  const asked =
    freeze && (await ledger.integrity.laneProgress()).every(({ unqueried }) => unqueried === 0);
  if (freeze && asked) {
    proc.world.activity += 1;
    await ledger.integrity.unfreeze({
      epoch: freeze.epoch,
      reason: "asked for",
      actor: "operator",
    });
  }
  if (faults.isOver) await removeLimits(ledger);
  else if (!faults.isClean && random.isTrue(0.05)) {
    const [batch] = await ledger.payout.workingBatches();
    const [lane] = batch?.lanes ?? [];
    if (batch && lane !== undefined) {
      await limitLane(lane, context);
      const priority = random.pick(PRIORITIES);
      await ledger.payout.setPriority({ batchId: batch.id, priority, ...LIMITS_BY });
    }
  }
  await pauseSome(ledger, faults, proc.world);
  const stopped = await ledger.payout.stoppedLanes();
  for (const { id: batchId, lanes, paused, cancelling } of await ledger.payout.workingBatches()) {
    const order = { batchId, actor: "operator", reason: null };
    const needsPerson = stopped.some(
      ({ lane, needs }) => needs === "person" && lanes.includes(lane),
    );
    if ((paused && !cancelling) || needsPerson) {
      await continueBatch(batchId, lanes, context);
    } else if (!faults.isOver && !faults.isClean && random.isTrue(0.04)) {
      faults.count("batch paused");
      await pauseBatch(order, ledger);
    } else if (!faults.isOver && !faults.isClean && random.isTrue(0.01)) {
      faults.count("rest of a batch cancelled");
      await cancelBatch(order, ledger);
    }
  }
}

/** Restarts the lanes of a batch, and resumes it if it is paused, unless its canary failed. */
async function continueBatch(
  batchId: string,
  lanes: readonly string[],
  { life: proc, ledger, faults }: OperatorContext,
): Promise<void> {
  const order = { batchId, actor: "operator", reason: "repaired" };
  proc.world.activity += 1;
  faults.repairSetup();
  const canaries = await ledger.payout.canaries(batchId);
  if (canaries.some(({ failed, releasedAt }) => failed !== null && releasedAt === null)) {
    faults.count("canary released by a person");
    await releaseCanary(order, ledger);
    return;
  }
  await ledger.payout.openLanes(lanes, order);
  await resumeBatch(order, ledger);
}

/** Long enough for every lost tick. */
const LATE_MS = 120_000;

const LIMITS_BY = { actor: "operator", reason: "a new contract" };

/** A lane gets limits, or different ones. */
async function limitLane(
  lane: string,
  { ledger, faults, life: proc }: OperatorContext,
): Promise<void> {
  const { random } = proc.world;
  faults.count("lane limited");
  const rate = random.pick([null, 2, 5, 50]);
  await ledger.payout.limitLane({
    lane,
    rate,
    concurrency: random.pick([null, 1, 4]),
    ...LIMITS_BY,
  });
}

/** After all faults have ended. */
async function removeLimits(ledger: PayingLedger): Promise<void> {
  const limited = (await ledger.payout.limitedLanes()).filter(({ setBy }) => setBy !== null);
  for (const { lane } of limited) {
    await ledger.payout.limitLane({ lane, rate: null, concurrency: null, ...LIMITS_BY });
  }
}

/** Whether it completed. The caller repeats what fails. */
const attempted = (work: () => Promise<unknown>): Promise<boolean> =>
  work().then(
    () => true,
    () => false,
  );
