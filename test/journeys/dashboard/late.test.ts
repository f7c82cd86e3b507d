/** A send time that passed before the approval, in a real browser. */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tickFindings } from "../../support/dashboard/acknowledge.ts";
import { approvedWithSendTime } from "../../support/dashboard/scheduled-batch.ts";
import { openDashboard, type OpenDashboard } from "../../support/dashboard/open-dashboard.ts";
import { rowsOf } from "../../support/servers/payrun.ts";

let app: OpenDashboard;
beforeAll(async () => {
  app = await openDashboard({ settleMs: 300 });
});
afterAll(() => app.close());

test("warns that a late approval sends the batch immediately, then sends it", async () => {
  const batch = await app.batch([{ amount: "46.00" }]);
  const { database, ledger } = app.payrun;
  const at = new Date(Date.now() - 60_000);
  const local = at.toISOString().slice(0, 16);
  await sql`insert into send_times (batch_id, send_at, local, zone, expires_hours, set_by)
    values (${batch.id}, date_trunc('minute', ${at}::timestamptz), ${local}, 'UTC', 24, 'schedule:S1')`.execute(
    database,
  );
  const visitor = await app.visitor(["approver"]);
  await database
    .updateTable("sessions")
    .set({ stepped_up_until: new Date(Date.now() + 600_000) })
    .execute();
  const { page } = visitor;
  const over = `The scheduled time, ${local.replace("T", " ")} UTC, has passed. payrun will send the batch immediately after approval.`;

  await visitor.open(`/batches/${batch.id}`);
  await page.getByText(`${over} Before sending, payrun will check the rows again.`).waitFor();
  await page.getByRole("link", { name: "Review and approve", exact: true }).waitFor();
  await visitor.open(`/batches/${batch.id}/approval`);
  const form = page.getByRole("form", { name: "Approve this batch" });
  await form.getByText(over).waitFor();
  await tickFindings(page);
  await page.getByLabel("Total in INR").fill("46.00");
  await form.getByText("Schedule", { exact: true }).click();
  expect(await form.getByRole("button", { name: /^Approve and/ }).isDisabled()).toBe(true);
  await form.getByLabel("Date").fill("2099-12-31");
  await form.getByLabel(/^Time\b(?! zone)/).fill("25:99");
  await form.getByText("This is not a valid time.").waitFor();
  // The error below the field moves the fields above it, also during a click.
  await form.getByLabel(/^Time\b(?! zone)/).press("Tab");
  await form.getByText("Immediately", { exact: true }).click();
  await form.getByRole("button", { name: "Approve and send 1 payout immediately" }).click();
  await page.getByText("finished").waitFor();
  await page.getByRole("columnheader", { name: "Approved", exact: true }).waitFor();
  expect((await ledger.payout.findBatch({ id: batch.id }))?.state).toBe("finished");
  // Next to a right-to-left name, the date keeps its place.
  const bidi = 'getComputedStyle(document.querySelector("main time")).unicodeBidi';
  expect(await page.evaluate(bidi)).toBe("isolate");
  visitor.expectQuiet(/400/);
  await visitor.close();
});

test("shows a batch as waiting for its send time wherever it is listed, and filters by that", async () => {
  const { database } = app.payrun;
  const rows = rowsOf(9, (at) => ({ amount: `7${at}.00`, account: `6010000000880${at}` }));
  const batch = await app.batch(rows);
  await approvedWithSendTime(app, batch.id);
  const alike = await app.batch(rows);
  const { page, open, expectQuiet, close } = await app.visitor(["approver"]);
  const main = page.getByRole("main");

  await open(`/batches/${batch.id}/file`);
  await main.getByText("scheduled").waitFor();
  await open(`/batches/${alike.id}/approval`);
  await main.getByText("100% of these payouts are also in another batch.").waitFor();
  await main.getByText("scheduled").waitFor();
  await open("/batches");
  const row = main.getByRole("row", { name: batch.id });
  const filterBy = async (state: string, isOn: boolean) => {
    await page
      .getByRole("search")
      .getByRole("button", { name: /^State/ })
      .click();
    await page.getByRole("dialog").getByLabel(state, { exact: true }).setChecked(isOn);
    await page.keyboard.press("Escape");
  };
  for (const [state, found] of [
    ["scheduled", 1],
    ["in progress", 0],
    ["held back", 0],
  ] as const) {
    await filterBy(state, true);
    await expect.poll(() => row.count()).toBe(found);
    await filterBy(state, false);
  }
  await sql`update send_times set held_back = 'its rows' where batch_id = ${batch.id}`.execute(
    database,
  );
  await row.getByText("held back").waitFor();
  expectQuiet();
  await close();
});
