import { PRIORITIES } from "#payout/priority.ts";
import { approve, totalsOf } from "#flows/approval/approve.ts";
import { release } from "#flows/payout/lane/canaries.ts";
import { cancel, pause, resume } from "#flows/payout/lane/control-batch.ts";
import { ingest } from "#flows/intake/ingest.ts";
import { payAgain } from "#flows/payout/retry-batch.ts";
import type { PayingLedger } from "#ledger/ledger.ts";
import { EVERY_LANE } from "#payout/lane/lane.ts";
import type { SendTime } from "#schedule/release.ts";
import type { Checker } from "./checker.ts";
import type { Tables } from "#proof/simulation/ledger/tables.ts";
import type { Life } from "#proof/simulation/world/life.ts";
import { EPOCH_MS } from "#proof/simulation/world/life.ts";
import type { File } from "./scenario.ts";
import type { World } from "#proof/simulation/world/world.ts";
import type { Sky } from "#proof/simulation/run/fault-injector.ts";

export interface Office {
  readonly life: Life;
  readonly ledger: PayingLedger;
  readonly ingestDeps: Parameters<typeof ingest>[1];
  readonly weather: Sky;
  readonly checker: Checker;
  readonly tables: Pick<Tables, "journal">;
  /** State that outlives the process: people and their records. */
  readonly desk: {
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
export async function keepOffice(files: readonly File[], office: Office): Promise<never> {
  const { life, weather, desk } = office;
  const { chance } = life.world;
  for (const file of files) {
    if (desk.paid.has(file) && !chance.happens(PAID_AGAIN)) continue;
    while (!(await attempted(() => pay(file, office)))) await life.wait(chance.between(500, 5_000));
    desk.paid.add(file);
    await life.wait(chance.between(0, 3_000));
  }
  for (;;) {
    await life.wait(weather.isCalm ? 60_000 : chance.between(3_000, 40_000));
    await attempted(() => lookAround(office));
    // While the ledger is frozen, or after it was unfrozen.
    const isLookedFor = desk.isRestored && (weather.isCalm || chance.happens(0.5));
    if (isLookedFor && (await attempted(() => payLost(files, office)))) desk.isRestored = false;
    const { length } = office.tables.journal;
    const isNews =
      length !== desk.seen && (weather.isCalm || chance.happens(REMAINDERS_LOOKED_FOR));
    if (isNews && (await attempted(() => payRemainders(files, office)))) desk.seen = length;
  }
}

/** How often a check also looks for declined payouts to retry. */
const REMAINDERS_LOOKED_FOR = 0.5;
const PAID_AGAIN = 0.3;

/**
 * The same file again is the same batch: after any failure, the instructions say to repeat `pay
 * FILE`.
 */
async function pay(file: File, office: Office): Promise<void> {
  const { ledger, ingestDeps, checker, timed, weather, life } = office;
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
    checker.occursAs(occurrence, batch.id);
    if (again?.ok) checker.occursAs(occurrence, again.value.batch.id);
  }
  checker.takesIn(batch.id, file.rows);
  const totals = totalsOf(batch);
  const send = sendAfterMs === null ? null : sendTime(EPOCH_MS + sendAfterMs);
  if (send) {
    checker.timetable.approvedFor(batch.id, send.at);
    timed.set(batch.id, send.at);
  }
  const [first] = batch.lanes;
  if (first && !weather.isClean && life.world.chance.happens(0.1)) await limit(first.lane, office);
  await approve(
    batch.id,
    { actor: "checker", contentDigest: batch.contentDigest, totals },
    { ledger, send },
  );
}

/** Uploads the files again that a restored ledger has lost. */
async function payLost(files: readonly File[], office: Office): Promise<void> {
  for (const file of files) {
    const batch = await office.ledger.payout.findBatch({ digest: file.digest });
    if (batch && batch.state !== "awaiting_approval") continue;
    office.weather.count("lost file uploaded again");
    await pay(file, office);
  }
}

/** Creates and approves the retry batches, down to the depth of each file. */
async function payRemainders(files: readonly File[], office: Office): Promise<void> {
  for (const [at, { digest }] of files.entries()) {
    const depth = office.desk.depths[at] ?? 0;
    const batch = depth === 0 ? null : await office.ledger.payout.findBatch({ digest });
    if (batch) await payRemaindersOf(batch.id, depth, office);
  }
}

async function payRemaindersOf(batchId: string, depth: number, office: Office): Promise<void> {
  if (depth === 0) return;
  const { ledger, ingestDeps, checker, life } = office;
  const made = await payAgain({ batchId, actor: "maker" }, ingestDeps);
  if (made.ok) life.world.activity += 1;
  else if (made.error.kind === "frozen") throw new Error("the ledger is frozen");
  for (const id of await ledger.payout.remaindersOf(batchId)) {
    checker.paysAgain(id);
    const batch = await ledger.payout.findBatch({ id });
    if (batch?.state === "awaiting_approval") {
      const approval = { actor: "checker", contentDigest: batch.contentDigest };
      await approve(id, { ...approval, totals: totalsOf(batch) }, { ledger });
    }
    await payRemaindersOf(id, depth - 1, office);
  }
}

const sendTime = (ms: number): SendTime => ({
  at: new Date(ms),
  local: "2026-11-20T08:00",
  zone: "UTC",
  expiresHours: 1,
});

async function lookAround(office: Office): Promise<void> {
  const { life, ledger, weather, timed, checker } = office;
  const { chance, nowMs } = life.world;
  for (const [batchId, at] of timed) {
    const sinceMs = EPOCH_MS + nowMs - at.getTime();
    const change = { batchId, reason: "asked to", actor: "operator" };
    // A held-back batch is checked and sent. A released one is not affected.
    if (sinceMs > LATE_MS) {
      const isLetGo = checker.timetable.asksToPutOff(batchId, new Date(EPOCH_MS));
      const isDone = await ledger.schedule.changeSending({ ...change, to: "now" });
      isLetGo(isDone);
      if (isDone) life.world.activity += 1;
      // A batch restored to a time before its release may wait for the release and for its canary
      // as well.
      const batch = await ledger.payout.findBatch({ id: batchId });
      if (batch?.state === "paused") await goOn(batchId, office);
    } else if (sinceMs < 0 && !weather.isCalm && chance.happens(0.1)) {
      const to = sendTime(at.getTime() + chance.between(1_000, 60_000));
      const isPutOff = checker.timetable.asksToPutOff(batchId, to.at);
      const isDone = await ledger.schedule.changeSending({ ...change, to });
      isPutOff(isDone);
      if (isDone) {
        weather.count("batch rescheduled");
        timed.set(batchId, to.at);
      }
    }
  }
  const freeze = await ledger.integrity.verify();
  const asked =
    freeze && (await ledger.integrity.askedPerLane()).every(({ unqueried }) => unqueried === 0);
  if (freeze && asked) {
    life.world.activity += 1;
    await ledger.integrity.unfreeze({
      epoch: freeze.epoch,
      reason: "asked for",
      actor: "operator",
    });
  }
  if (weather.isCalm) await limitNothing(ledger);
  else if (!weather.isClean && chance.happens(0.05)) {
    const [batch] = await ledger.payout.workingBatches();
    const [lane] = batch?.lanes ?? [];
    if (batch && lane !== undefined) {
      await limit(lane, office);
      const priority = chance.pick(PRIORITIES);
      await ledger.payout.setPriority({ batchId: batch.id, priority, ...LIMITS_BY });
    }
  }
  await pauseSome(ledger, weather, life.world);
  const stopped = await ledger.payout.stoppedLanes();
  for (const { id: batchId, lanes, paused, cancelling } of await ledger.payout.workingBatches()) {
    const order = { batchId, actor: "operator", reason: null };
    const needsPerson = stopped.some(
      ({ lane, needs }) => needs === "person" && lanes.includes(lane),
    );
    if ((paused && !cancelling) || needsPerson) {
      await goOn(batchId, office);
    } else if (!weather.isCalm && !weather.isClean && chance.happens(0.04)) {
      weather.count("batch paused");
      await pause(order, ledger);
    } else if (!weather.isCalm && !weather.isClean && chance.happens(0.01)) {
      weather.count("rest of a batch cancelled");
      await cancel(order, ledger);
    }
  }
}

async function goOn(batchId: string, { life, ledger, weather }: Office): Promise<void> {
  const order = { batchId, actor: "operator", reason: null };
  life.world.activity += 1;
  weather.mend();
  const resumed = await resume(order, ledger);
  if (!resumed.ok && resumed.error.kind === "canary_failed") {
    weather.count("canary released by a person");
    await release({ ...order, reason: "looked at" }, ledger);
  }
}

/** Long enough for every lost tick. */
const LATE_MS = 120_000;

const LIMITS_BY = { actor: "operator", reason: "a new contract" };

/** A lane gets limits, or different ones. */
async function limit(lane: string, { ledger, weather, life }: Office): Promise<void> {
  const { chance } = life.world;
  weather.count("lane limited");
  const rate = chance.pick([null, 2, 5, 50]);
  await ledger.payout.limitLane({
    lane,
    rate,
    concurrency: chance.pick([null, 1, 4]),
    ...LIMITS_BY,
  });
}

/** After all faults have ended. */
async function limitNothing(ledger: PayingLedger): Promise<void> {
  const limited = (await ledger.payout.pacedLanes()).filter(({ setBy }) => setBy !== null);
  for (const { lane } of limited) {
    await ledger.payout.limitLane({ lane, rate: null, concurrency: null, ...LIMITS_BY });
  }
}

/** Pauses or drains a lane, or every lane; it is resumed later, or after all faults have ended. */
async function pauseSome(
  ledger: PayingLedger,
  weather: Sky,
  { chance, nowMs }: World,
): Promise<void> {
  if (weather.isClean) return;
  const by = { actor: "operator", reason: "the bank called" };
  const pauses = await ledger.payout.lanePauses();
  if (pauses.length > 0 && (weather.isCalm || chance.happens(0.5))) {
    for (const { lane } of pauses) await ledger.payout.resumeLane({ lane, ...by });
    return;
  }
  if (weather.isCalm || !chance.happens(0.05)) return;
  const [batch] = await ledger.payout.workingBatches();
  if (!batch) return;
  const lane = chance.pick([EVERY_LANE, ...batch.lanes]);
  const drain = chance.happens(0.5);
  const until = chance.pick([null, new Date(EPOCH_MS + nowMs + chance.between(1_000, 60_000))]);
  if (await ledger.payout.pauseLane({ lane, drain, until, ...by })) {
    weather.count(drain ? "lane drained" : "lane paused");
  }
}

/** Whether it completed. The caller repeats what fails. */
const attempted = (work: () => Promise<unknown>): Promise<boolean> =>
  work().then(
    () => true,
    () => false,
  );
