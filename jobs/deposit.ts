import { z } from "zod";
import type { JobContract } from "#jobs/job.ts";

const schema = z.strictObject({
  v: z.literal(1),
  transactionCode: z.string(),
  /** Changes every minute, so that an id that a queue forgot to free blocks nothing for long. */
  round: z.int().min(0),
});

/** "Something is due about this deposit": the ledger says what. */
export const depositJob: JobContract<z.infer<typeof schema>> = {
  queue: "payrun-deposit",
  schema,
  idOf: ({ transactionCode, round }) => `deposit-${transactionCode}-${round}`,
};
