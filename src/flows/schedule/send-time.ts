import type { Clock } from "#base/clock.ts";
import type { Ledger, LedgerSteps } from "#ledger/ledger.ts";
import { err, ok, type Result } from "#base/result.ts";
import { type LocalMoment, momentText } from "#schedule/local-time.ts";
import { EXPIRES_HOURS, type SendTime } from "#schedule/release.ts";

/** The send time of a batch as given by an approver. */
export interface GivenTime extends LocalMoment {
  /**
   * Hours after the send time for which the approval is valid. Undefined: as planned before if the
   * send time is the same, otherwise the default.
   */
  readonly expiresHours?: number | undefined;
}

/**
 * Checks the send time of an approval: it must lie in the future, or equal the planned time, which
 * other approvers may have approved before it passed. Returns null if the time has passed.
 */
export async function approvedTime(
  given: GivenTime,
  batchId: string,
  { ledger, clock }: { readonly ledger: LedgerSteps; readonly clock: Pick<Clock, "nowMs"> },
): Promise<SendTime | null> {
  const planned = (await ledger.schedule.findSendTimes([batchId])).get(batchId);
  const standing = planned?.at.getTime() === given.at.getTime() ? planned : null;
  if (!standing && given.at.getTime() <= clock.nowMs()) return null;
  const expiresHours = given.expiresHours ?? standing?.expiresHours ?? EXPIRES_HOURS;
  return { at: given.at, local: given.local, zone: given.zone, expiresHours };
}

interface Order {
  readonly batchId: string;
  readonly reason: string;
  readonly actor: string;
}

export interface RescheduleRefusal {
  readonly kind: "time_passed" | "not_later" | "wrong_state" | "not_found";
  readonly why: string;
}

/**
 * Reschedules a batch that waits for its send time to a later time. An earlier time needs an
 * approver. The validity of the approval after the send time is unchanged. A batch that was held
 * back cannot be rescheduled, because it needs a decision.
 */
export async function rescheduleBatch(
  { to, ...order }: Order & { readonly to: LocalMoment },
  deps: {
    readonly ledger: Ledger;
    readonly clock: Pick<Clock, "nowMs">;
  },
): Promise<Result<true, RescheduleRefusal>> {
  if (to.at.getTime() <= deps.clock.nowMs()) {
    return err({ kind: "time_passed", why: `${momentText(to)} has passed.` });
  }
  if (await deps.ledger.schedule.reschedule({ ...order, to })) return ok(true);
  if (!(await deps.ledger.payout.findBatch({ id: order.batchId }))) {
    return err({ kind: "not_found", why: `There is no batch ${order.batchId}.` });
  }
  const planned = (await deps.ledger.schedule.findSendTimes([order.batchId])).get(order.batchId);
  const waits = planned && planned.releasedAt === null && planned.heldBack === null;
  if (!waits || to.at.getTime() > planned.at.getTime()) {
    const why = `Batch ${order.batchId} is not waiting for its send time, or it was held back.`;
    return err({ kind: "wrong_state", why });
  }
  const why = `${momentText(to)} is not later than the scheduled time, ${momentText(planned)}. To send the batch sooner, ask an approver who did not upload it to send it now.`;
  return err({ kind: "not_later", why });
}

/**
 * Sends a batch now that waits for its send time or was held back, if its rows still pass the
 * checks. This needs the decision of an approver: another time was approved, or the approval has
 * expired.
 *
 * @param order.userId null: the command line, on which one person approves alone anyway.
 */
export async function sendBatchNow(
  { userId, ...order }: Order & { readonly userId: string | null },
  { ledger }: { readonly ledger: Ledger },
): Promise<Result<true, "own_batch" | "wrong_state" | "not_found">> {
  const [standing] = await ledger.approval.findWaitingBatches(userId, order.batchId);
  if (userId !== null && standing?.own) return err("own_batch");
  if (await ledger.schedule.reschedule({ ...order, to: "now" })) return ok(true);
  return err((await ledger.payout.findBatch({ id: order.batchId })) ? "wrong_state" : "not_found");
}
