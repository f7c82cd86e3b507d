import { z } from "zod";
import type { JobContract } from "#jobs/job.ts";

const schema = z.strictObject({ v: z.literal(1) });

/**
 * Looks for work that has come due. The ledger says what is due, and the next tick catches up on a
 * lost one.
 */
export const tickJob: JobContract<z.infer<typeof schema>> = {
  queue: "payrun-tick",
  schema,
  idOf: () => "tick",
};

/** Half of the lateness that a schedule allows. */
export const TICK_MS = 500;
