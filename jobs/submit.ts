import { z } from "zod";
import { PRIORITIES } from "#batch/priority.ts";
import type { JobContract } from "#jobs/job.ts";

const resolveSchema = z.strictObject({
  v: z.literal(1),
  batchId: z.string(),
  lane: z.string(),
  /** One of the few jobs that a batch and lane may have waiting at once. */
  slot: z.int().min(0),
  /** Changes every minute, so that an id that a queue forgot to free blocks nothing for long. */
  round: z.int().min(0),
});
const submitSchema = resolveSchema.extend({
  /** Of the batch's priority: whose jobs and request slots come first. */
  rank: z
    .int()
    .min(0)
    .max(PRIORITIES.length - 1),
});

export type ResolvePayload = z.infer<typeof resolveSchema>;
export type SubmitPayload = z.infer<typeof submitSchema>;

/** "Send what is due of this batch in this lane." It carries no payout: the ledger says which, when a request slot is free. */
export const submitJob: JobContract<SubmitPayload> = {
  queue: "payrun-submit",
  schema: submitSchema,
  rankOf: ({ rank }) => rank,
  idOf: ({ batchId, lane, slot, round }) => jobId("submit", batchId, lane, slot, round),
};

/** "Ask the gateway about what is due of this batch in this lane." */
export const resolveJob: JobContract<ResolvePayload> = {
  queue: "payrun-resolve",
  schema: resolveSchema,
  idOf: ({ batchId, lane, slot, round }) => jobId("resolve", batchId, lane, slot, round),
};

/** How many payouts one job works on before it goes to the back of the queue: a small batch gets its turn beside a large one. */
export const SHARE = 200;

const ROUND_MS = 60_000;

export const roundAt = (nowMs: number): number => Math.floor(nowMs / ROUND_MS);

/**
 * Whether the sweep has put newer jobs on the queue for the same work. Where shares take longer than a round, the
 * older ones would pile up, and a small batch would wait behind all of them.
 */
export const isStale = ({ round }: { readonly round: number }, nowMs: number): boolean =>
  round < roundAt(nowMs) - 1;

const jobId = (...parts: (string | number)[]): string => parts.join("-").replaceAll(":", "_");
