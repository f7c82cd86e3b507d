import { z } from "zod";
import { PRIORITIES } from "#payout/priority.ts";
import type { JobContract } from "#jobs/job.ts";

const resolveSchema = z.strictObject({
  v: z.literal(1),
  batchId: z.string(),
  lane: z.string(),
  /** One of the few job slots that a batch and lane may have in the queue at once. */
  slot: z.int().min(0),
  /** Changes every minute, so a job id that a queue failed to free blocks new jobs only briefly. */
  round: z.int().min(0),
});
const submitSchema = resolveSchema.extend({
  /** Derived from the batch's priority: determines whose jobs and request slots come first. */
  rank: z
    .int()
    .min(0)
    .max(PRIORITIES.length - 1),
});

export type ResolvePayload = z.infer<typeof resolveSchema>;
export type SubmitPayload = z.infer<typeof submitSchema>;

/**
 * Sends what is due of one batch in one lane. The job names no payout: the ledger selects it when a
 * request slot is free.
 */
export const submitJob: JobContract<SubmitPayload> = {
  queue: "payrun-submit",
  schema: submitSchema,
  rankOf: ({ rank }) => rank,
  idOf: ({ batchId, lane, slot, round }) => jobId("submit", batchId, lane, slot, round),
  subjectOf: ({ batchId }) => ({ batchId }),
};

/** Queries the gateway about the due payouts of one batch in one lane. */
export const resolveJob: JobContract<ResolvePayload> = {
  queue: "payrun-resolve",
  schema: resolveSchema,
  idOf: ({ batchId, lane, slot, round }) => jobId("resolve", batchId, lane, slot, round),
  subjectOf: ({ batchId }) => ({ batchId }),
};

/**
 * Maximum number of payouts that one job processes before it returns to the back of the queue, so a
 * small batch makes progress alongside a large one.
 */
export const JOB_PAYOUTS_MAX = 200;

const ROUND_MS = 60_000;

/** Returns the number of the round to which a time belongs, in epoch milliseconds. */
export const roundAt = (nowMs: number): number => Math.floor(nowMs / ROUND_MS);

/**
 * Returns whether the sweep has added newer jobs for the same work. When shares take longer than a
 * sweep interval, older jobs would pile up, and a small batch would wait behind them.
 */
export const isStale = ({ round }: { readonly round: number }, nowMs: number): boolean =>
  round < roundAt(nowMs) - 1;

const jobId = (...parts: (string | number)[]): string => parts.join("-").replaceAll(":", "_");
