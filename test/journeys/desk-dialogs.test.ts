/** A question that somebody is answering when what it is about changes under it: they are told, and what they typed stays. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cancel } from "#flows/control.ts";
import { laneIn } from "../support/ledger.ts";
import { openDesk, type OpenDesk } from "../support/open-desk.ts";
import { rowsOf } from "../support/payrun.ts";
import { force, query } from "../support/postgres.ts";

const INR = laneIn("INR");
let desk: OpenDesk;
beforeAll(async () => {
  desk = await openDesk({ settleMs: 600_000 });
});
afterAll(() => desk.close());

const sql = (text: string) => query(desk.payrun.databaseUrl, text);
const dialogOf = (page: Page) => page.getByRole("dialog");

/** The cursor is where one types, and the reason is begun. */
async function begin(page: Page, button: string): Promise<void> {
  await page.getByRole("button", { name: button, exact: true }).press("Enter");
  const dialog = dialogOf(page);
  await dialog.getByLabel("Reason").waitFor();
  const first = dialog.locator("input, select, textarea").first();
  await expect.poll(() => first.and(page.locator(":focus")).count()).toBe(1);
  await dialog.getByLabel("Reason").fill("the bank called");
}

/** Why it is over, as the dialog says it; what was typed is there, and cannot be sent. */
async function toldIn(page: Page): Promise<string> {
  const dialog = dialogOf(page);
  const alert = dialog.getByRole("alert");
  await alert.getByText("It was changed since you opened it").waitFor();
  const why = await alert.innerText();
  expect(await dialog.getByLabel("Reason").inputValue()).toBe("the bank called");
  expect(await dialog.locator("button[type=submit]").isDisabled()).toBe(true);
  await dialog.getByRole("button", { name: "Go back" }).click();
  await dialog.waitFor({ state: "detached" });
  return why;
}

test("a lane that another one has resumed, or limited", async () => {
  const { ledger } = desk.payrun;
  await desk.batch(rowsOf(1), "approved");
  const pause = { reason: "a test", actor: "test", until: null, drain: false };
  await ledger.pauseLane({ lane: INR, ...pause });
  const { page, open, expectQuiet } = await desk.visitor(["operator"]);
  await open("/operations");
  await begin(page, `Resume ${INR}`);
  await ledger.resumeLane({ lane: INR, reason: "told", actor: "test" });
  expect(await toldIn(page)).toContain("It is not paused any more.");

  await begin(page, `Limit ${INR}`);
  const other = await desk.visitor(["operator"]);
  await other.open("/operations");
  await begin(other.page, `Limit ${INR}`);
  await dialogOf(other.page).getByLabel("Payouts a second").fill("2");
  await dialogOf(other.page).getByRole("button", { name: "Set limits" }).click();
  await dialogOf(page).getByText("Others were set since you opened it").waitFor();
  await dialogOf(page).getByText("2 a second. Your word takes the place of that one.").waitFor();
  expectQuiet();
});

test("a schedule that another one has removed", async () => {
  const { id: list } = await desk.batch(rowsOf(1));
  const maker = await desk.visitor(["uploader", "operator"]);
  const { page, open, expectQuiet } = maker;
  await page.clock.install();
  await open("/schedules");
  await page.getByLabel("Name").fill("Wages");
  await page.getByLabel(/^List/).fill(list);
  await page.getByRole("button", { name: "Save the schedule" }).click();
  await page.getByRole("heading", { name: "Wages" }).waitFor();
  await begin(page, "Pause Wages");
  await sql("update schedules set state = 'removed'");
  await page.clock.runFor(30_000);
  expect(await toldIn(page)).toContain("Somebody has removed it.");
  expectQuiet();
});

test("a batch that repeats another one, and is cancelled while somebody says why", async () => {
  const row = { account: "90300000009", amount: "32.00" };
  await desk.batch([row], "approved");
  const { id: batchId } = await desk.batch([row]);
  const { page, open, expectQuiet } = await desk.visitor(["uploader"]);
  await open(`/batches/${batchId}/approval`);
  await begin(page, "Say why it is right");
  await cancel({ batchId, actor: "test", reason: "not wanted" }, desk.payrun.ledger);
  expect(await toldIn(page)).toContain("It does not wait for approval.");
  expectQuiet();
});

test("a payout of which the gateway tells more while somebody types what they found out", async () => {
  await desk.batch([{ amount: "33.00", code: "HELD1" }], "approved");
  const become = (state: string, reason: string) =>
    force(
      desk.payrun.databaseUrl,
      `update payouts set state = '${state}', reason = ${reason} where id in
      (select payout_id from payout_details where transaction_code = 'HELD1')`,
    );
  const { page, open, expectQuiet } = await desk.visitor(["operator"]);
  await expect.poll(() => sql("select from attempts")).not.toHaveLength(0);
  await become("held", "'resend_window_over'");
  await open("/payouts/HELD1");
  const evidence = page.getByLabel("By which evidence");
  await page.getByLabel("The money arrived").check();
  await evidence.fill("statement of 3 May");
  await become("accepted", "null");
  await page.getByText("It was changed since you opened it").waitFor();
  await page.getByText("Not here. It is not held any more.").waitFor();
  expect(await evidence.inputValue()).toBe("statement of 3 May");
  expect(await evidence.and(page.locator(":focus")).count()).toBe(1);
  const put = page.getByRole("button", { name: "Put it before an approver" });
  expect(await put.isDisabled()).toBe(true);
  expectQuiet();
});

test("a frozen ledger that another one lets send again", async () => {
  await desk.payrun.ledger.freeze({ reason: "a copy was put back", actor: "test" });
  const { page, open, expectQuiet } = await desk.visitor(["operator"]);
  await open("/operations");
  await begin(page, "Let it send again");
  await sql("update epoch set frozen_at = null");
  expect(await toldIn(page)).toContain("It sends again already.");
  expectQuiet();
});
