/**
 * A dialog whose subject changes while someone fills it in: the dialog says so, and the typed text
 * stays.
 */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cancelBatch } from "#flows/payout/lane/control-batch.ts";
import { laneIn } from "../../support/ledger.ts";
import { openDashboard, type OpenDashboard } from "../../support/dashboard/open-dashboard.ts";
import { rowsOf } from "../../support/servers/payrun.ts";
import { force, query } from "../../support/servers/postgres.ts";

const INR = laneIn("INR");
/** The lane's name as the operations page shows it. */
const NAME = `INR · ${INR.split("/")[0]}`;
let app: OpenDashboard;
beforeAll(async () => {
  app = await openDashboard({ settleMs: 600_000 });
});
afterAll(() => app.close());

const sql = (text: string) => query(app.payrun.databaseUrl, text);
const dialogOf = (page: Page) => page.getByRole("dialog");

/** The cursor is in the reason field, and the reason is partly typed. */
async function begin(page: Page, button: string): Promise<void> {
  await page.getByRole("button", { name: button, exact: true }).press("Enter");
  const dialog = dialogOf(page);
  await dialog.getByLabel("Reason").waitFor();
  const first = dialog.locator("input, select, textarea").first();
  await expect.poll(() => first.and(page.locator(":focus")).count()).toBe(1);
  await dialog.getByLabel("Reason").fill("the bank called");
}

/** The dialog says why it is void. The typed text is there but cannot be sent. */
async function toldIn(page: Page): Promise<string> {
  const dialog = dialogOf(page);
  const alert = dialog.getByRole("alert");
  await alert.getByText("The data has changed since you loaded it").waitFor();
  const why = await alert.innerText();
  expect(await dialog.getByLabel("Reason").inputValue()).toBe("the bank called");
  expect(await dialog.locator("button[type=submit]").isDisabled()).toBe(true);
  await dialog.getByRole("button", { name: "Go back" }).click();
  await dialog.waitFor({ state: "detached" });
  return why;
}

test("voids a lane dialog when another operator resumed or limited the lane", async () => {
  const { ledger } = app.payrun;
  await app.batch(rowsOf(1), "approved");
  const pause = { reason: "a test", actor: "test", until: null, drain: false };
  await ledger.payout.pauseLane({ lane: INR, ...pause });
  const { page, open, expectQuiet } = await app.visitor(["operator"]);
  await open("/operations?tab=lanes");
  await begin(page, `Resume ${NAME}`);
  await ledger.payout.resumeLane({ lane: INR, reason: "told", actor: "test" });
  expect(await toldIn(page)).toContain("This pause has already ended.");

  await begin(page, `Limit ${NAME}`);
  const other = await app.visitor(["operator"]);
  await other.open("/operations?tab=lanes");
  await begin(other.page, `Limit ${NAME}`);
  await dialogOf(other.page).getByLabel("Payouts per second").fill("2");
  await dialogOf(other.page).getByRole("button", { name: "Set limits" }).click();
  await dialogOf(page).getByText("The limits have changed since you opened this dialog").waitFor();
  await dialogOf(page).getByText("2 per second. Your limits will replace these.").waitFor();
  expectQuiet();
});

test("voids a schedule dialog when another person removed the schedule", async () => {
  const { id: list } = await app.batch(rowsOf(1));
  const maker = await app.visitor(["uploader", "operator"]);
  const { page, open, expectQuiet } = maker;
  await page.clock.install();
  await open("/schedules");
  await page.getByRole("button", { name: "New schedule" }).click();
  await page.getByLabel("Name").fill("Wages");
  await page.getByRole("combobox", { name: /^Batch/ }).fill(list);
  await page.getByRole("option", { name: new RegExp(list) }).click();
  await page.getByRole("button", { name: "Save schedule" }).click();
  await page.getByRole("heading", { name: "Wages" }).waitFor();
  await begin(page, "Pause Wages");
  await sql("update schedules set state = 'removed'");
  await page.clock.runFor(30_000);
  expect(await toldIn(page)).toContain("Another user removed this schedule.");
  expectQuiet();
});

test("voids a duplicates dialog when the batch is cancelled meanwhile", async () => {
  const row = { account: "90300000009", amount: "32.00" };
  await app.batch([row], "approved");
  const { id: batchId } = await app.batch([row]);
  const { page, open, expectQuiet } = await app.visitor(["uploader"]);
  await open(`/batches/${batchId}/approval`);
  await begin(page, "Give a reason");
  await cancelBatch({ batchId, actor: "test", reason: "not wanted" }, app.payrun.ledger);
  expect(await toldIn(page)).toContain("The batch is not awaiting approval.");
  expectQuiet();
});

test("voids a resolution dialog when a new gateway answer arrives", async () => {
  await app.batch([{ amount: "33.00", code: "HELD1" }], "approved");
  const become = (state: string, reason: string) =>
    force(
      app.payrun.databaseUrl,
      `update payouts set state = '${state}', reason = ${reason} where id in
      (select payout_id from payout_details where transaction_code = 'HELD1')`,
    );
  const { page, open, expectQuiet } = await app.visitor(["operator"]);
  await expect.poll(() => sql("select from attempts")).not.toHaveLength(0);
  await become("on_hold", "'resend_window_over'");
  await open("/payouts/HELD1");
  const evidence = page.getByLabel("Evidence");
  await page.getByLabel("The money arrived").check();
  await evidence.fill("statement of 3 May");
  await become("accepted", "null");
  await page.getByText("The data has changed since you loaded it").waitFor();
  await page.getByText("Not available. The payout is no longer on hold.").waitFor();
  expect(await evidence.inputValue()).toBe("statement of 3 May");
  expect(await evidence.and(page.locator(":focus")).count()).toBe(1);
  const put = page.getByRole("button", { name: "Propose result" });
  expect(await put.isDisabled()).toBe(true);
  expectQuiet();
});

test("counts in the cancel dialog only what is still unsent, and reports what was cancelled", async () => {
  const { ledger } = app.payrun;
  const pause = { reason: "a test", actor: "test", until: null, drain: false };
  await ledger.payout.pauseLane({ lane: INR, ...pause });
  const { id } = await app.batch(
    rowsOf(3, () => ({ amount: "20.00" })),
    "approved",
  );
  const { page, open, expectQuiet } = await app.visitor(["operator"]);
  await open(`/batches/${id}`);
  await begin(page, "Cancel 3 unsent payouts");
  const dialog = dialogOf(page);
  await dialog.getByText("Not yet sent: 3 payouts (INR 60.00).").waitFor();
  await sql(`update payrun.payouts set state = 'submitting', due_at = now() + interval '1 hour' where id = (
    select min(id) from payrun.payouts where batch_id = '${id}')`);
  await dialog.getByText("Not yet sent: 2 payouts (INR 40.00).").waitFor();
  await dialog.getByRole("button", { name: "Cancel unsent payouts" }).click();
  await page.getByText("payrun cancelled 2 payouts. It still queries the status").waitFor();
  await dialog.waitFor({ state: "detached" });
  const left = await sql(`select state from payrun.payouts where batch_id = '${id}' order by id`);
  expect(left.map(({ state }) => state)).toEqual(["submitting", "cancelled", "cancelled"]);
  await ledger.payout.resumeLane({ lane: INR, reason: "done", actor: "test" });
  expectQuiet();
});

test("voids an unfreeze dialog when another person unfroze the ledger", async () => {
  await app.payrun.ledger.integrity.freeze({ reason: "a copy was put back", actor: "test" });
  const { page, open, expectQuiet } = await app.visitor(["operator"]);
  await open("/operations");
  await begin(page, "Unfreeze");
  await sql("update epoch set frozen_at = null");
  expect(await toldIn(page)).toContain("The ledger is no longer frozen.");
  expectQuiet();
});
