import { createHash } from "node:crypto";
import { approve, totalsOf } from "#flows/approve.ts";
import { cancel, pause, resume } from "#flows/control.ts";
import { ingest } from "#flows/ingest.ts";
import { payAgain } from "#flows/remainder.ts";
import type { Ledger } from "#ledger/ledger.ts";
import type { Checker } from "./checker.ts";
import type { Tables } from "./ledger/tables.ts";
import type { Life } from "./life.ts";
import type { Sky } from "./run.ts";
import type { File } from "./scenario.ts";

interface Office {
  readonly life: Life;
  readonly ledger: Ledger;
  readonly ingestDeps: Parameters<typeof ingest>[1];
  readonly weather: Sky;
  readonly checker: Checker;
  readonly tables: Pick<Tables, "journal">;
  /** What outlives the process: people and their papers. */
  readonly desk: {
    /** How often what a file's payouts were declined is paid again. */
    readonly depths: readonly number[];
    /** How much had happened in the ledger when a look found nothing left to pay again. */
    seen: number;
  };
}

/**
 * What people do: they pay the files, again and again until it works, open lanes that need a person, and in mid-run
 * pause, resume and cancel. Their process may die as any other; then they begin again with the first file.
 */
export async function keepOffice(files: readonly File[], office: Office): Promise<never> {
  const { life, weather } = office;
  const { chance } = life.world;
  for (const file of files) {
    while (!(await attempted(() => pay(file, office)))) await life.wait(chance.between(500, 5_000));
    await life.wait(chance.between(0, 3_000));
  }
  for (;;) {
    await life.wait(weather.isCalm ? 60_000 : chance.between(3_000, 40_000));
    await attempted(() => lookAround(office));
    const { length } = office.tables.journal;
    if (await attempted(() => payRemainders(files, office))) office.desk.seen = length;
  }
}

/** The same file again is the same batch: whatever broke, `pay FILE` once more is what people are told to do. */
async function pay(file: File, { ledger, ingestDeps, checker }: Office): Promise<void> {
  const open = async function* () {
    yield file.bytes;
  };
  const taken = await ingest({ fileName: file.name, open, actor: "maker" }, ingestDeps);
  if (!taken.ok) throw new Error(JSON.stringify(taken.error));
  const { batch } = taken.value;
  checker.takesIn(batch.id, file.rows);
  const totals = totalsOf(batch);
  await approve(
    batch.id,
    { actor: "checker", contentDigest: batch.contentDigest, totals },
    { ledger },
  );
}

/** Makes and approves the batches that pay again what was declined, down to the depth of each file. */
async function payRemainders(files: readonly File[], office: Office): Promise<void> {
  for (const [at, { bytes }] of files.entries()) {
    const digest = createHash("sha256").update(bytes).digest("hex");
    const batch = await office.ledger.findBatch({ digest });
    if (batch) await payRemaindersOf(batch.id, office.desk.depths[at] ?? 0, office);
  }
}

async function payRemaindersOf(batchId: string, depth: number, office: Office): Promise<void> {
  if (depth === 0) return;
  const { ledger, ingestDeps, checker, life } = office;
  const made = await payAgain({ batchId, actor: "maker" }, ingestDeps);
  if (made.ok) life.world.activity += 1;
  else if (made.error.kind === "frozen") throw new Error("the ledger is frozen");
  for (const id of await ledger.remaindersOf(batchId)) {
    checker.paysAgain(id);
    const batch = await ledger.findBatch({ id });
    if (batch?.state === "awaiting_approval") {
      const approval = { actor: "checker", contentDigest: batch.contentDigest };
      await approve(id, { ...approval, totals: totalsOf(batch) }, { ledger });
    }
    await payRemaindersOf(id, depth - 1, office);
  }
}

async function lookAround({ life, ledger, weather }: Office): Promise<void> {
  const { chance } = life.world;
  const freeze = await ledger.verify();
  const asked = freeze && (await ledger.askedPerLane()).every(({ unasked }) => unasked === 0);
  if (freeze && asked) {
    life.world.activity += 1;
    await ledger.unfreeze({ epoch: freeze.epoch, reason: "asked for", actor: "operator" });
  }
  const stopped = await ledger.stoppedLanes();
  for (const { id: batchId, lanes, paused, cancelling } of await ledger.workingBatches()) {
    const order = { batchId, actor: "operator", reason: null };
    const needsPerson = stopped.some(
      ({ lane, needs }) => needs === "person" && lanes.includes(lane),
    );
    if ((paused && !cancelling) || needsPerson) {
      life.world.activity += 1;
      weather.mend();
      await resume(order, ledger);
    } else if (!weather.isCalm && !weather.isClean && chance.happens(0.04)) {
      weather.count("batch paused");
      await pause(order, ledger);
    } else if (!weather.isCalm && !weather.isClean && chance.happens(0.01)) {
      weather.count("rest of a batch cancelled");
      await cancel(order, ledger);
    }
  }
}

/** Whether it came to its end. What breaks is tried again by whoever wants it done. */
const attempted = (work: () => Promise<unknown>): Promise<boolean> =>
  work().then(
    () => true,
    () => false,
  );
