import type { JobContract } from "#jobs/job.ts";

/**
 * The producer's side of the queue, as the flows see it. Adding a job that is already waiting has
 * no effect.
 */
export interface Hints {
  /** Rejects when the queue is unreachable. No work is lost: the sweep adds the job again. */
  add<Payload>(job: JobContract<Payload>, payloads: readonly Payload[]): Promise<void>;
}
