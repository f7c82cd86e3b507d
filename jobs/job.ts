import type { z } from "zod";

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
}
