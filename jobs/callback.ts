import { z } from "zod";
import type { JobContract } from "#jobs/job.ts";

const schema = z.strictObject({ v: z.literal(1), transactionCode: z.string() });

/** "A callback named this payout: ask the gateway about it." What the callback said is not passed on. */
export const callbackJob: JobContract<z.infer<typeof schema>> = {
  queue: "payrun-callback",
  schema,
  idOf: ({ transactionCode }) => `callback-${transactionCode}`,
};
