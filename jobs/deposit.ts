import { z } from "zod";
import type { JobContract } from "#jobs/job.ts";

const schema = z.strictObject({
  v: z.literal(1),
  transactionCode: z.string(),
  /** Changes every minute, so a job id that a queue failed to free blocks new jobs only briefly. */
  round: z.int().min(0),
});

/** Tells a worker that work is due for this deposit. The ledger says which work. */
export const depositJob: JobContract<z.infer<typeof schema>> = {
  queue: "payrun-deposit",
  schema,
  idOf: ({ transactionCode, round }) => `deposit-${transactionCode}-${round}`,
};
