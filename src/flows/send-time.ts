import type { Clock } from "#clock.ts";
import { waitingFor } from "#ledger/approvals.ts";
import type { Database } from "#ledger/database.ts";
import type { Ledger } from "#ledger/ledger.ts";
import { err, ok, type Result } from "#result.ts";
import type { SendTime } from "#schedule/release.ts";

interface Order {
  readonly batchId: string;
  readonly reason: string;
  readonly actor: string;
}

/** Lets a batch that waits for its time go out later. One that was kept back is not put off: it wants a decision. */
export async function putOff(
  { to, ...order }: Order & { readonly to: SendTime },
  { ledger, clock }: { readonly ledger: Ledger; readonly clock: Pick<Clock, "nowMs"> },
): Promise<Result<true, "time_is_over" | "wrong_state">> {
  if (to.at.getTime() <= clock.nowMs()) return err("time_is_over");
  return (await ledger.changeSending({ ...order, to })) ? ok(true) : err("wrong_state");
}

/**
 * Lets a batch that waits for its time, or was kept back, go out now, when its rows still pass. That is the word of an
 * approver: another time was approved, or the approval has expired.
 *
 * @param order.userId null: the command line, whose approvals are of one person anyway.
 */
export async function sendNow(
  { userId, ...order }: Order & { readonly userId: string | null },
  { ledger, database }: { readonly ledger: Ledger; readonly database: Database },
): Promise<Result<true, "own_batch" | "wrong_state">> {
  const [standing] = await waitingFor(database, userId, order.batchId);
  if (userId !== null && standing?.own) return err("own_batch");
  return (await ledger.changeSending({ ...order, to: "now" })) ? ok(true) : err("wrong_state");
}
