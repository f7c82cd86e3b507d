import { z } from "zod";
import type { JobContract } from "#jobs/job.ts";

const schema = z.strictObject({ v: z.literal(1) });

/** "Look whether something has come due." What that is the ledger says; one that is lost is caught up by the next. */
export const tickJob: JobContract<z.infer<typeof schema>> = {
  queue: "payrun-tick",
  schema,
  idOf: () => "tick",
};

/** Half of what a schedule may be late. */
export const TICK_MS = 500;
