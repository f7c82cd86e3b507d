import { sql } from "kysely";
import { totalsOf } from "#flows/approval/approve.ts";
import { approveAs } from "#flows/approval/record-approval.ts";
import { signedIn } from "./server.ts";
import type { OpenDashboard } from "./open-dashboard.ts";
import { sendForApproval } from "../ledger.ts";

/** An approved batch on a test dashboard with a send time at the end of the century. */
export async function approvedWithSendTime(
  { payrun }: OpenDashboard,
  batchId: string,
): Promise<void> {
  const { database, ledger, deps } = payrun;
  const batch = await ledger.payout.findBatch({ id: batchId });
  if (!batch) throw new Error(`no batch ${batchId}`);
  await sendForApproval(database, batch);
  await sql`insert into send_times (batch_id, send_at, local, zone, expires_hours, set_by)
    values (${batchId}, '2099-12-31T09:00Z', '2099-12-31T09:00', 'UTC', 24, 'schedule:S1')`.execute(
    database,
  );
  const { userId } = await signedIn({ database, clock: deps.clock }, ["approver"]);
  const approval = {
    batchId,
    userId,
    contentDigest: batch.contentDigest,
    totals: totalsOf(batch),
  };
  const approved = await approveAs(approval, { ledger, clock: deps.clock });
  if (!approved.ok) throw new Error(JSON.stringify(approved.error));
}
