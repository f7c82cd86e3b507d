/** Actions on a canary: an approver sets one, it is declined, an operator releases the rest. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { totalsOf } from "#flows/approval/approve.ts";
import { approveAs } from "#flows/approval/record-approval.ts";
import { openDashboard, type OpenDashboard } from "../../support/dashboard/open-dashboard.ts";

let app: OpenDashboard;
beforeAll(async () => {
  app = await openDashboard({ settleMs: 1, faults: [{ fault: "code_121", code: "REFUSED*" }] });
});
afterAll(() => app.close());

test("keeps the rest waiting for the first payout, and needs an operator's release after a decline", async () => {
  const rows = [{ code: "REFUSED-1" }, { code: "GOOD-1" }, { code: "GOOD-2" }];
  const { id: batchId, contentDigest } = await app.batch(rows);
  const approver = await app.visitor(["approver"]);
  await approver.open(`/batches/${batchId}`);
  await approver.page.getByRole("link", { name: "Review and approve", exact: true }).waitFor();
  await approver.page.getByRole("button", { name: "More actions" }).click();
  await approver.page.getByRole("menuitem", { name: "Send a few first (canary)" }).click();
  const canary = approver.page.getByRole("dialog", { name: "Send a few first (canary)" });
  await canary.getByLabel("Payouts sent first in each lane").fill("1");
  await canary.getByRole("button", { name: "Set canary" }).click();
  await canary.waitFor({ state: "detached" });
  await approver.page.getByText("payrun will first send 1 payout per lane (canary)").waitFor();

  const { ledger, deps } = app.payrun;
  const batch = await ledger.payout.findBatch({ id: batchId });
  if (!batch) throw new Error("no batch");
  const approval = { batchId, userId: approver.userId, contentDigest, totals: totalsOf(batch) };
  const approved = await approveAs(approval, { ledger, clock: deps.clock });
  expect(approved).toMatchObject({ ok: true });

  const operator = await app.visitor(["operator"]);
  const { page } = operator;
  await operator.open(`/batches/${batchId}`);
  await page
    .getByText("A payout that was sent first (canary) did not settle: decide what to do")
    .waitFor();
  await page.getByText("the canary payout REFUSED-1 is declined.").waitFor();
  await page.getByText("otherwise, a person releases or cancels the rest").waitFor();
  const title = "Approved payouts are waiting for a decision on their batch";
  const cause = `${batchId} (the canary payout REFUSED-1 is declined)`;
  await operator.open("/operations");
  await page.getByText(`${title}: ${cause}`).click();
  await page.getByText("Releasing the other payouts before you know the cause").waitFor();
  await operator.open("/");
  await page.getByRole("link", { name: title, exact: true }).waitFor();
  await page.getByText(cause).waitFor();
  await operator.open(`/batches/${batchId}`);
  await page.getByRole("button", { name: "Release unsent payouts" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("payrun will send 2 payouts (").waitFor();
  await dialog.getByLabel("Reason").fill("only this account is wrong");
  await dialog.getByRole("button", { name: "Release unsent payouts" }).click();
  await page
    .getByText("payrun sent a few payouts first (canary) and then released the rest")
    .waitFor();
  expect(await ledger.payout.canaries(null)).toEqual([]);
  await operator.open("/operations");
  await page.getByText("Healthy").waitFor();
  operator.expectQuiet();
  approver.expectQuiet();
});
