import type { RescheduleOrder, SendTimeDecision } from "#ledger/schedule/send-times.ts";
import type { DueSendTime, SendTime } from "#schedule/release.ts";
import type { SendTimeRow, Tables } from "./tables.ts";

/** src/ledger/schedule/send-times.ts in memory. */

/** Returns whether the send time of a batch has been released, or it has none. */
export const isReleased = ({ sendTimes }: Tables, batchId: string, nowMs: number): boolean => {
  const row = sendTimes.get(batchId);
  return !row || (row.released && row.at.getTime() <= nowMs);
};

/** Returns whether a batch waits for its send time. */
export const isWaiting = ({ sendTimes }: Tables, batchId: string): boolean =>
  sendTimes.get(batchId)?.released === false;

/** Sets the send time of a batch. Null: it is sent immediately. */
export function setSendTime({ sendTimes }: Tables, batchId: string, send: SendTime | null): void {
  if (send === null) sendTimes.delete(batchId);
  else sendTimes.set(batchId, { ...send, released: false, heldBack: null });
}

/** Returns the send times that have come, the earliest first. */
export const dueSendTimes = (tables: Tables, nowMs: number): DueSendTime[] =>
  [...tables.sendTimes]
    .flatMap(([batchId, row]) => {
      const approvedAt = approvedAtOf(tables, batchId);
      return approvedAt && isDue(row, nowMs)
        ? [{ ...row, batchId, approvedAt, now: new Date(nowMs) }]
        : [];
    })
    .sort((one, other) => one.at.getTime() - other.at.getTime());

const isDue = ({ released, heldBack, at }: SendTimeRow, nowMs: number): boolean =>
  !released && heldBack === null && at.getTime() <= nowMs;

function approvedAtOf({ batches }: Tables, batchId: string): Date | null {
  const batch = batches.get(batchId);
  return batch?.state === "approved" && !batch.cancelling ? batch.approvedAt : null;
}

/** Releases or holds back a due batch. False: it changed meanwhile. */
export function releaseOrHoldBack(
  tables: Tables,
  { batchId, sendAt, heldBack }: SendTimeDecision,
  nowMs: number,
): boolean {
  const row = tables.sendTimes.get(batchId);
  const isSame = row?.at.getTime() === sendAt.getTime();
  if (!row || !isSame || !isDue(row, nowMs) || !approvedAtOf(tables, batchId)) return false;
  tables.sendTimes.set(batchId, { ...row, heldBack, released: heldBack === null });
  const batch = tables.batches.get(batchId);
  if (batch) batch.reason = heldBack;
  const action = heldBack === null ? "release" : "hold_back";
  const facts = { send_at: sendAt.toISOString(), reason: heldBack };
  tables.audit.push({ actor: "tick", action, object: batchId, facts });
  return true;
}

/** Reschedules a batch to a later time, or sends it now. False: it does not allow the change. */
export function reschedule(
  tables: Tables,
  { batchId, to, reason, actor }: RescheduleOrder,
  nowMs: number,
): boolean {
  const row = tables.sendTimes.get(batchId);
  const batch = tables.batches.get(batchId);
  const isOpen = batch?.state === "approved" || batch?.state === "paused";
  if (!row || row.released || !isOpen || batch.cancelling) return false;
  const isLater = to !== "now" && to.at.getTime() > Math.max(nowMs, row.at.getTime());
  if (to !== "now" && (row.heldBack !== null || !isLater)) return false;
  const { at, local, zone } = to === "now" ? { ...row, at: new Date(nowMs) } : to;
  tables.sendTimes.set(batchId, { ...row, at, local, zone, heldBack: null });
  const action = to === "now" ? "send_now" : "reschedule";
  tables.audit.push({ actor, action, object: batchId, facts: { reason } });
  return true;
}
