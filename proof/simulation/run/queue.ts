import type { Hints } from "#jobs/hints.ts";
import type { JobContract } from "#jobs/job.ts";
import type { JobResult } from "#jobs/verdict.ts";
import type { SimProcess } from "#proof/simulation/world/process.ts";
import type { World } from "#proof/simulation/world/world.ts";

/** Faults of the queue in delivering a job. */
export type QueueFault = "lost" | "doubled" | "delayed" | "repeated" | "flushed";

interface Job {
  readonly id: string;
  readonly queue: string;
  readonly payload: unknown;
}

interface Consumer {
  readonly life: SimProcess;
  readonly run: (payload: unknown) => Promise<JobResult>;
  free: number;
}

/** A job whose worker is silent for this long is given to another one. */
const STALLED_MS = 10_000;
const OLD_JOBS = 50;

/**
 * Jobs in memory: each is run by one of the consumers, and by a second one when the first seems
 * dead.
 */
export class Queue {
  readonly #world: World;
  readonly #faultOf: () => QueueFault | null;
  readonly #onAdd: (text: string) => void;
  /** Waiting or running: the same id is one job. */
  readonly #ids = new Set<string>();
  #waiting: Job[] = [];
  readonly #old: Job[] = [];
  readonly #consumers = new Map<string, Consumer[]>();

  /** @param onAdd receives the text of every job, which must not name a beneficiary (I14). */
  constructor(world: World, faultOf: () => QueueFault | null, onAdd: (text: string) => void) {
    this.#world = world;
    this.#faultOf = faultOf;
    this.#onAdd = onAdd;
  }

  hintsOf(proc: SimProcess): Hints {
    return {
      add: <Payload>(job: JobContract<Payload>, payloads: readonly Payload[]) =>
        proc.call(
          "queue",
          `add ${job.queue}`,
          () => {
            for (const payload of payloads) {
              this.#add({ id: job.idOf(payload), queue: job.queue, payload });
            }
          },
          () => new Error("Connection is closed."),
        ),
    };
  }

  consume(
    proc: SimProcess,
    queue: string,
    size: number,
    run: (payload: unknown) => Promise<JobResult>,
  ): void {
    const consumers = this.#consumers.get(queue) ?? [];
    consumers.push({ life: proc, run, free: size });
    this.#consumers.set(queue, consumers);
    this.#world.after(0, () => this.#pump());
  }

  #add(job: Job): void {
    if (this.#ids.has(job.id)) return this.#pump();
    this.#onAdd(JSON.stringify(job.payload));
    this.#ids.add(job.id);
    const fault = this.#faultOf();
    switch (fault) {
      case "flushed":
        this.#world.log(() => "the queue is flushed");
        this.#ids.clear();
        this.#waiting = [];
        return;
      case "lost":
        this.#world.log(() => `the queue loses ${job.id}`);
        this.#ids.delete(job.id);
        return;
      case "delayed":
        this.#world.after(this.#world.random.between(100, 90_000), () => this.#wait(job));
        return;
      case "repeated": {
        const old = this.#old[this.#world.random.whole(0, this.#old.length - 1)];
        if (old) this.#wait(old);
        break;
      }
      case "doubled":
        this.#wait(job);
        break;
      case null:
        break;
    }
    this.#wait(job);
  }

  #wait(job: Job): void {
    const { random } = this.#world;
    // Jobs sometimes overtake each other.
    if (random.isTrue(0.1)) this.#waiting.unshift(job);
    else this.#waiting.push(job);
    this.#world.after(0, () => this.#pump());
  }

  #pump(): void {
    const left: Job[] = [];
    for (const job of this.#waiting) {
      const ready = this.#consumers
        .get(job.queue)
        ?.filter(({ life: proc, free }) => proc.isAlive && !proc.isPaused && free > 0);
      if (!ready || ready.length === 0) left.push(job);
      else this.#start(job, this.#world.random.pick(ready));
    }
    this.#waiting = left;
  }

  #start(job: Job, consumer: Consumer): void {
    const { life: proc } = consumer;
    let isMine = true;
    const look = () => {
      if (!isMine) return;
      if (proc.isAlive && !proc.isPaused) return this.#world.after(STALLED_MS, look);
      isMine = false;
      this.#world.log(() => `${job.id} has stalled with ${proc.name}`);
      this.#wait(job);
    };
    this.#world.after(STALLED_MS, look);
    const end = (verdict: JobResult | null) => {
      consumer.free += 1;
      if (isMine) {
        isMine = false;
        if (verdict?.kind === "again") this.#world.after(verdict.delayMs, () => this.#wait(job));
        else this.#forget(job);
      }
      this.#world.after(0, () => this.#pump());
    };
    consumer.free -= 1;
    consumer.run(job.payload).then(end, () => end(null));
  }

  #forget(job: Job): void {
    this.#ids.delete(job.id);
    this.#old.push(job);
    if (this.#old.length > OLD_JOBS) this.#old.shift();
  }

  /** Removes the consumers of a dead process. */
  leave(proc: SimProcess): void {
    for (const [queue, consumers] of this.#consumers) {
      this.#consumers.set(
        queue,
        consumers.filter((consumer) => consumer.life !== proc),
      );
    }
  }
}
