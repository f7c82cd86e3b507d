/** The batch of a list, as far as it decides whether its rows are paid twice. */
interface ListedBatch {
  readonly id: string;
  readonly state: string;
  /** The latest time at which its payouts were approved or released. Null: never. */
  readonly sentAt: Date | null;
}

/** The first batch that a schedule will create from a list. */
interface FirstBatch {
  readonly createdAt: Date;
  /** The zone of the schedule, in which days are written. */
  readonly zone: string;
  /** The days after which a repeated payout no longer counts as an exact duplicate. */
  readonly duplicateDays: number;
}

const DAY_MS = 86_400_000;
const ENDED: ReadonlySet<string> = new Set(["finished", "finished_with_exceptions", "cancelled"]);

/**
 * States why the first batch of a schedule may repeat payouts of the batch whose rows it pays: the
 * batch is not finished, or was sent so recently that exact duplicates block the first batch. Null:
 * neither is the case.
 */
export function listCollision(
  { id, state, sentAt }: ListedBatch,
  { createdAt, zone, duplicateDays }: FirstBatch,
): string | null {
  if (!ENDED.has(state))
    return `Batch ${id} has not finished. The first batch pays the same rows again, in addition to the payouts of batch ${id} itself. If batch ${id} is approved first, exact duplicates block the first batch: it can then be approved only after an uploader gives a reason.`;
  if (state === "cancelled" || sentAt === null) return null;
  if (sentAt.getTime() <= createdAt.getTime() - duplicateDays * DAY_MS) return null;
  const day = new Intl.DateTimeFormat("en-CA", { timeZone: zone }).format(sentAt);
  return `Batch ${id} was sent on ${day}, and the first batch pays the same rows again. Exact duplicates of payouts of the last ${duplicateDays} days block a batch: the first batch can be approved only after an uploader gives a reason.`;
}
