/** The jobs of one queue that ended. */
export interface EndedJobs {
  readonly queue: string;
  readonly finished: number;
  readonly failed: number;
}

/** Counts the jobs that ended in one process. */
export class JobCounts {
  #queues = new Map<string, EndedJobs>();

  count(queue: string, outcome: "finished" | "failed"): void {
    this.restore([{ queue, finished: 0, failed: 0, [outcome]: 1 }]);
  }

  /** Returns the counts since the last call. */
  drain(): readonly EndedJobs[] {
    const taken = [...this.#queues.values()];
    this.#queues = new Map();
    return taken;
  }

  /** Adds back counts that could not be reported. */
  restore(counts: readonly EndedJobs[]): void {
    for (const { queue, finished, failed } of counts) {
      const before = this.#queues.get(queue);
      this.#queues.set(queue, {
        queue,
        finished: (before?.finished ?? 0) + finished,
        failed: (before?.failed ?? 0) + failed,
      });
    }
  }
}
