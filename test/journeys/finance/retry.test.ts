/** A retry of a payout whose bank the gateway did not find: one bank, and a draft or a request. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { totalsOf } from "#flows/approval/approve.ts";
import { approveAs } from "#flows/approval/record-approval.ts";
import { sendForApproval } from "../../support/ledger.ts";
import { signedIn } from "../../support/dashboard/server.ts";
import { expectAccessible, expectNoHorizontalScroll } from "../../support/dashboard/browser.ts";
import { openDashboard, type OpenDashboard } from "../../support/dashboard/open-dashboard.ts";
import { eventually } from "../../support/servers/eventually.ts";

let app: OpenDashboard;
let batchId: string;
beforeAll(async () => {
  app = await openDashboard({ faults: [{ fault: "code_121", code: "NOBANK1" }] });
  const row = { currency: "IDR", amount: "150000.00", code: "NOBANK1" } as const;
  ({ id: batchId } = await app.batch([row], "approved"));
  await eventually("the payout is declined", async () => {
    const batch = await app.payrun.ledger.payout.findBatch({ id: batchId });
    return batch?.state === "finished_with_exceptions";
  });
});
afterAll(() => app.close());

test("says the state in numbers and who acts next, on a batch and on a declined payout", async () => {
  const size = { width: 360, height: 740 };
  const uploader = await app.visitor(["uploader"], size);
  await uploader.open(`/batches/${batchId}`);
  const verdict = uploader.page.getByRole("region", { name: "State and next step" });
  await verdict.getByText("0 of 1 settled. 1 was declined.", { exact: true }).waitFor();
  await verdict.getByText("You can retry the declined payout.").waitFor();
  const retry = verdict.getByRole("link", { name: "Retry 1 declined" });
  const place = await retry.boundingBox();
  expect((place?.y ?? size.height) + (place?.height ?? 0)).toBeLessThan(size.height);
  const cause = uploader.page.getByRole("listitem").filter({ hasText: "Needs new details" });
  await cause.getByText("1 payout", { exact: true }).waitFor();
  await cause.getByText("IDR 150,000.00").waitFor();
  await cause.getByRole("link", { name: "Fix details" }).waitFor();
  await expectNoHorizontalScroll(uploader.page, "a batch with a declined payout");
  await expectAccessible(uploader.page, "a batch with a declined payout");
  await retry.click();
  await uploader.page.waitForURL((url) => url.pathname.endsWith(`/batches/${batchId}/retry`));
  uploader.expectQuiet();

  const operator = await app.visitor(["operator"], size);
  await operator.open(`/batches/${batchId}`);
  await operator.page.getByText(/uploader can retry the declined payout\.$/).waitFor();
  expect(await operator.page.getByRole("link", { name: /^Retry/ }).count()).toBe(0);
  await operator.page.getByText(/Needs new details · .+ can fix the details/).waitFor();
  await operator.page.getByRole("button", { name: /^Assign: / }).waitFor();

  await operator.open("/payouts/NOBANK1");
  const summary = operator.page.getByRole("status").filter({ hasText: "Has money moved?" });
  await summary.getByText(/uploader can retry it\.$/).waitFor();
  await operator.page.getByText("Sent to the gateway", { exact: true }).waitFor();
  await operator.page.getByText(/^Declined by the gateway: /).waitFor();
  expect(await operator.page.getByText("Selected for sending").count()).toBe(0);
  operator.expectQuiet();
});

test("fills the bank name of a chosen code, refuses another bank's name, and keeps a draft", async () => {
  const { page, open, expectQuiet } = await app.visitor(["uploader"], { width: 360, height: 740 });
  const declined = await app.payrun.ledger.payout.findStatusQuery("NOBANK1");
  expect(declined?.state).toBe("declined");
  await open("/payouts/NOBANK1");
  // The page of the payout leads to the details of its row, which open at once.
  await page.getByRole("link", { name: "Fix and retry" }).click();
  const editor = page.getByRole("dialog");
  await editor.getByText("Other details").click();
  expect(await editor.getByLabel("IFSC").count()).toBe(0);
  const bank = editor.getByLabel("Bank name");
  await editor.getByLabel("Bank code").fill("BCA");
  await expect.poll(() => bank.inputValue()).toBe("Bank Central Asia");
  await editor.getByText("These details are valid.").waitFor();

  await bank.fill("Bank Mandiri");
  await editor.getByText(/^The bank code is that of Bank Central Asia/).waitFor();
  const save = editor.getByRole("button", { name: "Save details" });
  expect(await save.isDisabled()).toBe(true);
  await bank.fill("Bank Central Asia");
  await editor.getByText("These details are valid.").waitFor();
  await expectAccessible(page, "the details of a retry");
  await save.click();

  expect(await page.getByRole("dialog").count()).toBe(0);
  await page.getByText("1 with new details").waitFor();
  await page.getByRole("button", { name: "Send 1 payout for approval" }).waitFor();
  await expectNoHorizontalScroll(page, "a retry");
  await page.getByRole("button", { name: "Save as draft" }).click();
  await page.waitForURL((url) => /\/batches\/B[0-9A-Z]+$/.test(url.pathname));
  const retry = page.url().split("/").at(-1) ?? "";
  await page.getByText("This batch retries payouts from").waitFor();
  expect((await app.payrun.ledger.payout.findBatch({ id: retry }))?.state).toBe("draft");

  await open("/payouts/NOBANK1");
  const summary = page.getByRole("status").filter({ hasText: "Next:" });
  await summary.getByText(/ retries it as .*Do not upload it in a new file\./).waitFor();
  expect(await page.getByRole("link", { name: "Fix and retry" }).count()).toBe(0);
  await summary.getByRole("link", { name: "Open the retry batch" }).click();
  await page.waitForURL((url) => url.pathname.endsWith(`/batches/${retry}`));
  expectQuiet();
  await approve(retry);
});

test("shows that a retry has paid, on the payout, the list and the page of the batch", async () => {
  const { page, open, expectQuiet } = await app.visitor(["uploader"], { width: 1440, height: 900 });
  await open("/payouts/NOBANK1");
  const summary = page.getByRole("status").filter({ hasText: "Paid by a retry:" });
  await summary.getByText(/^Paid by a retry: \S+ settled \d/).waitFor();
  expect(await summary.getByText("Next:").count()).toBe(0);
  await expectAccessible(page, "a payout that a retry paid");
  await open("/batches");
  const text = "1 declined: 1 paid by a retry";
  await page.getByRole("row").filter({ hasText: batchId }).getByText(text).waitFor();
  await open(`/batches/${batchId}`);
  await page.getByText(text).waitFor();
  await open("/payouts/NOBANK1");
  await summary.getByRole("strong").getByRole("link").click();
  await page.getByText("Yes. The gateway reports the payout as completed.").waitFor();

  // Only the retry counts, which has settled.
  await open("/");
  await page.getByText(/^Success rate: settled ÷ .* is listed under Failures\.$/).waitFor();
  const rate = page.getByRole("region", { name: "Success rate" }).first();
  await rate.getByText("100.0%").first().waitFor();
  expectQuiet();
});

/** Approves the draft with a second person, and waits until it is paid. */
async function approve(id: string): Promise<void> {
  const { ledger, database, deps } = app.payrun;
  const batch = await ledger.payout.findBatch({ id });
  if (!batch) throw new Error(`no batch ${id}`);
  await sendForApproval(database, batch);
  const { userId } = await signedIn({ database, clock: deps.clock }, ["approver"]);
  const { contentDigest } = batch;
  const approval = { batchId: id, userId, contentDigest, totals: totalsOf(batch) };
  const approved = await approveAs(approval, { ledger, clock: deps.clock });
  expect(approved.ok, JSON.stringify(approved)).toBe(true);
  await eventually("the retry is settled", async () => {
    const found = await ledger.payout.findBatch({ id });
    return found?.state === "finished";
  });
}
