import type { z } from "zod";

/** What may be asked of a worker. A job is a hint: losing one, or running one five times, changes only timing. */
export interface JobContract<Payload> {
  /** The queue's name; no ":" (it separates keys in Redis). */
  readonly queue: string;
  readonly schema: z.ZodType<Payload>;
  /** Equal ids are one job while it is waiting or running. Never all digits, never with ":". */
  readonly idOf: (payload: Payload) => string;
  /** Which of the waiting jobs of the queue comes first: 0 before 1. Left out: all in turn. */
  readonly rankOf?: (payload: Payload) => number;
}
