import { z } from "zod";
import type { JobContract } from "#jobs/job.ts";

const schema = z.strictObject({ v: z.literal(1), transactionCode: z.string() });

/**
 * Asks a worker to query the gateway about the payout that a callback named. The job contains no
 * other data from the callback.
 */
export const callbackJob: JobContract<z.infer<typeof schema>> = {
  queue: "payrun-callback",
  schema,
  idOf: ({ transactionCode }) => `callback-${transactionCode}`,
  subjectOf: ({ transactionCode }) => ({ transactionCode }),
};
