import type { z } from "zod";

/** A batch, or a payout by its transaction code. */
export type JobSubject = { readonly batchId: string } | { readonly transactionCode: string };

/**
 * Contract of a job. A job is a hint: losing one, or running it five times, changes only the
 * timing.
 */
export interface JobContract<Payload> {
  /** Name of the queue. It contains no ":", which separates keys in Redis. */
  readonly queue: string;
  readonly schema: z.ZodType<Payload>;
  /**
   * Identity of a job: while one is waiting or running, another with the same id is not added.
   * Never all digits, never with ":".
   */
  readonly idOf: (payload: Payload) => string;
  /**
   * Priority among the waiting jobs of the queue: 0 runs before 1. Default: first in, first out.
   */
  readonly rankOf?: (payload: Payload) => number;
  /** The batch or payout that the job is about. Default: none. */
  readonly subjectOf?: (payload: Payload) => JobSubject;
}
