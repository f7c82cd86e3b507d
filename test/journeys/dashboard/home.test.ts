/** The home page in a real browser: the figures have tables, and a draft is sent for approval. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDashboard, type OpenDashboard } from "../../support/dashboard/open-dashboard.ts";
import { expectAccessible } from "../../support/dashboard/browser.ts";
import { approvedBatch, claimOf, ingestFile } from "../../support/ledger.ts";
import { fileText, rowsOf } from "../../support/servers/payrun.ts";

let app: OpenDashboard;
beforeAll(async () => {
  app = await openDashboard({ settleMs: 300 });
});
afterAll(() => app.close());

// First, because the server keeps the figures of Home for a few seconds.
test("shows the results of today, with every figure of a chart in a table", async () => {
  const { ledger } = app.payrun;
  const batch = await approvedBatch(ledger, [{ amount: "30.00" }, { amount: "12.50" }]);
  for (const { payoutId, seq } of await ledger.payout.openAttempts(claimOf(batch.id))) {
    const move = { payoutId, reason: null, dueInMs: 0, actor: "test", evidence: null };
    await ledger.payout.move({ ...move, seq, from: "submitting", event: "accept" });
    await ledger.payout.move({ ...move, seq: seq + 1, from: "accepted", event: "settle" });
  }
  const visitor = await app.visitor(["viewer"]);
  const { page } = visitor;
  await visitor.open("/");
  const today = page.getByRole("region", { name: "Settled today by currency" });
  await today.getByRole("row", { name: /INR.*42\.50/ }).waitFor();
  const settled = page.getByRole("region", { name: "Payouts settled" }).first();
  await settled.getByText("Show figures as a table").click();
  const latest = await settled.getByRole("row").nth(1).textContent();
  expect(latest).toMatch(/2$/);
  await expectAccessible(page, "Home");
  visitor.expectQuiet();
  await visitor.close();
});

test("lets an uploader send a draft from Home for approval, and names its approvers", async () => {
  const approver = await app.visitor(["approver"]);
  const visitor = await app.visitor(["uploader"]);
  const { ledger } = app.payrun;
  const { batch } = await ingestFile(ledger, fileText(rowsOf(3)), `user:${visitor.userId}`);
  const { page } = visitor;
  await visitor.open("/");
  await page.getByText("1 draft to send for approval").waitFor();
  await page.getByRole("link", { name: /^Send for approval: / }).click();
  await page.waitForURL(`**/batches/${batch.id}`);
  await page.getByRole("main").getByText("draft", { exact: true }).first().waitFor();
  await page.getByRole("button", { name: "Send for approval" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText(/3 payouts, INR .* can approve the batch/).waitFor();
  await dialog.getByRole("button", { name: "Send for approval" }).click();
  await page.getByText(/^Sent for approval\. The batch now appears under Approvals for /).waitFor();
  expect((await ledger.payout.findBatch({ id: batch.id }))?.state).toBe("awaiting_approval");
  await visitor.open("/");
  await page.getByText("You're all caught up").waitFor();
  visitor.expectQuiet();
  await visitor.close();
  await approver.close();
});
