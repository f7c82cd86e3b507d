import type { JobContract } from "#jobs/job.ts";

/** The producer's side of the queue, as the flows see it. Adding a job that is waiting already does nothing. */
export interface Hints {
  /** Rejects when the queue cannot be reached; nothing is lost then, the sweep adds the job again. */
  add<Payload>(job: JobContract<Payload>, payloads: readonly Payload[]): Promise<void>;
}
