import type { ChangedSending, SettledSending } from "#ledger/schedule/send-times.ts";
import type { DueSending, SendTime } from "#schedule/release.ts";
import type { SendingRow, Tables } from "./tables.ts";

/** src/ledger/schedule/send-times.ts in memory. */

/** Returns whether the send time of a batch has been released, or it has none. */
export const isLetGo = ({ sendings }: Tables, batchId: string, nowMs: number): boolean => {
  const row = sendings.get(batchId);
  return !row || (row.released && row.at.getTime() <= nowMs);
};

/** Returns whether a batch waits for its send time. */
export const waits = ({ sendings }: Tables, batchId: string): boolean =>
  sendings.get(batchId)?.released === false;

/** Sets the send time of a batch. Null: it is sent immediately. */
export function setSendTime({ sendings }: Tables, batchId: string, send: SendTime | null): void {
  if (send === null) sendings.delete(batchId);
  else sendings.set(batchId, { ...send, released: false, heldBack: null });
}

/** Returns the send times that have come, the earliest first. */
export const dueSendings = (tables: Tables, nowMs: number): DueSending[] =>
  [...tables.sendings]
    .flatMap(([batchId, row]) => {
      const approvedAt = approvedAtOf(tables, batchId);
      return approvedAt && isDue(row, nowMs)
        ? [{ ...row, batchId, approvedAt, now: new Date(nowMs) }]
        : [];
    })
    .sort((one, other) => one.at.getTime() - other.at.getTime());

const isDue = ({ released, heldBack, at }: SendingRow, nowMs: number): boolean =>
  !released && heldBack === null && at.getTime() <= nowMs;

function approvedAtOf({ batches }: Tables, batchId: string): Date | null {
  const batch = batches.get(batchId);
  return batch?.state === "approved" && !batch.cancelling ? batch.approvedAt : null;
}

/** Releases or holds back a due batch. False: it changed meanwhile. */
export function settleSending(
  tables: Tables,
  { batchId, sendAt, heldBack }: SettledSending,
  nowMs: number,
): boolean {
  const row = tables.sendings.get(batchId);
  const isSame = row?.at.getTime() === sendAt.getTime();
  if (!row || !isSame || !isDue(row, nowMs) || !approvedAtOf(tables, batchId)) return false;
  tables.sendings.set(batchId, { ...row, heldBack, released: heldBack === null });
  const batch = tables.batches.get(batchId);
  if (batch) batch.reason = heldBack;
  const action = heldBack === null ? "release" : "hold_back";
  const facts = { send_at: sendAt.toISOString(), reason: heldBack };
  tables.audit.push({ actor: "tick", action, object: batchId, facts });
  return true;
}

/** Reschedules a batch to a later time, or sends it now. False: it does not allow the change. */
export function changeSending(
  tables: Tables,
  { batchId, to, reason, actor }: ChangedSending,
  nowMs: number,
): boolean {
  const row = tables.sendings.get(batchId);
  const batch = tables.batches.get(batchId);
  const isOpen = batch?.state === "approved" || batch?.state === "paused";
  if (!row || row.released || !isOpen || batch.cancelling) return false;
  const isLater = to !== "now" && to.at.getTime() > Math.max(nowMs, row.at.getTime());
  if (to !== "now" && (row.heldBack !== null || !isLater)) return false;
  const { at, local, zone } = to === "now" ? { ...row, at: new Date(nowMs) } : to;
  tables.sendings.set(batchId, { ...row, at, local, zone, heldBack: null });
  const action = to === "now" ? "send_now" : "reschedule";
  tables.audit.push({ actor, action, object: batchId, facts: { reason } });
  return true;
}
