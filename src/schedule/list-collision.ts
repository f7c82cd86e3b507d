/** The batch of a list, as far as it decides whether its rows are paid twice. */
interface ListedBatch {
  readonly id: string;
  readonly state: string;
  readonly approvedAt: Date | null;
}

const ENDED: ReadonlySet<string> = new Set(["finished", "finished_with_exceptions", "cancelled"]);

/**
 * States why the first occurrence of a schedule may repeat payouts of the batch whose rows it pays:
 * the batch is not finished, or it was approved on the same day. Null: neither is the case.
 *
 * @param zone the zone of the schedule, in which days are compared.
 */
export function listCollision(
  { id, state, approvedAt }: ListedBatch,
  firstRun: Date,
  zone: string,
): string | null {
  if (!ENDED.has(state))
    return `Batch ${id} has not finished. The first occurrence pays the same rows again, in addition to the payouts of the batch itself.`;
  if (state === "cancelled" || approvedAt === null) return null;
  const dayOf = new Intl.DateTimeFormat("en-CA", { timeZone: zone });
  return dayOf.format(approvedAt) === dayOf.format(firstRun)
    ? `Batch ${id} was approved on the same day as the first occurrence, which pays the same rows again.`
    : null;
}
