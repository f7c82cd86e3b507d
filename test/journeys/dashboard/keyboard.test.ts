/**
 * With the keyboard only: when a focused control disappears after its action, the focus stays
 * nearby.
 */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pauseBatch } from "#flows/payout/lane/control-batch.ts";
import { openDashboard, type OpenDashboard } from "../../support/dashboard/open-dashboard.ts";
import { rowsOf } from "../../support/servers/payrun.ts";
import { query } from "../../support/servers/postgres.ts";

let app: OpenDashboard;
beforeAll(async () => {
  app = await openDashboard({ settleMs: 600_000 });
});
afterAll(() => app.close());

/** Runs in the page, which has a document. The tests are compiled without one. */
const TWICE_AND_ESCAPE = `{
  const button = document.activeElement;
  button.click();
  button.click();
  button.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
}`;

const onFocus = (page: Page, role: "heading" | "button", name: string) => () =>
  page.getByRole(role, { name }).and(page.locator(":focus")).count();

test("moves the focus to the page heading when a resumed batch loses its button", async () => {
  const { id: batchId, ...batch } = await app.batch(rowsOf(2), "approved");
  const order = { batchId, actor: "test", reason: "the bank called" };
  expect(await pauseBatch(order, app.payrun.ledger)).toMatchObject({ ok: true });
  const { page, open, expectQuiet } = await app.visitor(["operator"]);
  await open(`/batches/${batchId}`);
  await page.getByRole("button", { name: "Resume" }).press("Enter");
  await page.getByRole("dialog").getByLabel("Reason").fill("it is right");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Pause" }).waitFor();
  await expect.poll(onFocus(page, "heading", batch.fileName)).toBe(1);
  // The reason to resume does not come from the approver.
  await open(`/batches/${batchId}/approval`);
  await page.getByText("Approved by").waitFor();
  expect(await page.getByText("it is right").count()).toBe(0);
  expectQuiet();
});

test("keeps a confirmed dialog open until the action succeeds or its refusal is shown", async () => {
  // A batch whose payouts have all been sent cannot be paused.
  const held = { reason: "a test", actor: "test", until: null, drain: false };
  await app.payrun.ledger.payout.pauseLane({ lane: "*", ...held });
  const { id } = await app.batch(rowsOf(3), "approved");
  const { page, open, expectQuiet } = await app.visitor(["operator"]);
  await open(`/batches/${id}`);
  let go = (): void => {};
  const gone = new Promise<void>((done) => (go = done));
  let times = 0;
  await page.route("**/api/batches/*/pause", async (asked) => {
    times += 1;
    await gone;
    await asked.fulfill({ status: 502, body: "" });
  });
  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "Pause", exact: true }).press("Enter");
  await dialog.getByLabel("Reason").fill("the bank called");
  // All in one moment, before the page shows that the action is running.
  await dialog.getByRole("button", { name: "Pause" }).focus();
  await page.evaluate(TWICE_AND_ESCAPE);
  await page.keyboard.press("Escape");
  expect(await dialog.getByRole("button", { name: "Go back" }).isDisabled()).toBe(true);
  go();
  await dialog.getByText("No response: your action may have gone through").waitFor();
  expect(times).toBe(1);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Pause", exact: true }).press("Enter");
  await dialog.getByLabel("Reason").waitFor();
  expect(await dialog.getByRole("alert").count()).toBe(0);
  expectQuiet(/502/);
});

test("leaves the focus on the heading above a removed schedule or limit", async () => {
  const { id: list } = await app.batch(rowsOf(1));
  await query(
    app.payrun.databaseUrl,
    `insert into schedules (id, name, calendar, source, lead_hours, grace_hours, expires_hours, maker)
     values ('SC1', 'Wages', '{"rule":{"every":"day"},"time":"09:00","zone":"Asia/Kolkata","holidays":null,"shift":"none"}',
       '{"kind":"list","batch":"${list}"}', 24, 4, 24, 'user:U1')`,
  );
  const operator = await app.visitor(["operator"]);
  await operator.open("/schedules");
  await operator.page.getByRole("button", { name: "Remove Wages" }).press("Enter");
  await operator.page.getByRole("dialog").getByLabel("Reason").fill("no longer wanted");
  await operator.page.keyboard.press("Tab");
  await operator.page.keyboard.press("Tab");
  await operator.page.keyboard.press("Enter");
  await operator.page.getByText("There are no schedules yet.").waitFor();
  await expect.poll(onFocus(operator.page, "heading", "Schedules")).toBe(1);
  operator.expectQuiet();

  const admin = await app.visitor(["admin"]);
  await admin.open("/settings/limits");
  await admin.page.getByRole("button", { name: "Add a limit" }).press("Enter");
  await admin.page.getByRole("button", { name: "Remove limit 1" }).press("Enter");
  await expect.poll(onFocus(admin.page, "heading", "Limits on approved amounts")).toBe(1);
  admin.expectQuiet();
});

test("leaves the focus on the heading above a form with nothing left to send", async () => {
  await app.batch([{ amount: "3.00", code: "NOTED1" }]);
  const { page, open, expectQuiet } = await app.visitor(["operator"]);
  await open("/payouts/NOTED1");
  await page.getByText("Add note", { exact: true }).first().click();
  await page.getByLabel("Note").fill("the bank was asked");
  await page.getByRole("button", { name: "Add note" }).press("Enter");
  await page.getByText("the bank was asked").waitFor();
  await expect.poll(onFocus(page, "heading", "History")).toBe(1);
  expectQuiet();
});

test("returns the focus to a button whose action was refused", async () => {
  const { page, open, expectQuiet } = await app.stranger();
  await open("/login");
  await page.getByLabel("E-mail").fill("nobody@example.test");
  await page.getByLabel(/^Password/).fill("not the right one");
  await page.getByRole("button", { name: "Sign in" }).press("Enter");
  await page.getByRole("alert").waitFor();
  await expect.poll(onFocus(page, "button", "Sign in")).toBe(1);
  expectQuiet(/401/);
});

test("keeps the sort order and the filters of a list after it is reloaded", async () => {
  const { id } = await app.batch(rowsOf(60, (place) => ({ amount: `${100 + place}.00` })));
  const { page, open, expectQuiet } = await app.visitor(["viewer"]);
  await open(`/batches/${id}`);
  const payouts = page.getByRole("table", { name: "Payouts in this batch" });
  const amount = payouts.getByRole("columnheader", { name: "Amount" });
  await amount.getByRole("button").press("Enter");
  const first = payouts.getByRole("row").nth(1);
  await first.getByText("INR 159.00").waitFor();
  await page.reload();
  await first.getByText("INR 159.00").waitFor();
  expect(await amount.getAttribute("aria-sort")).toBe("descending");
  expectQuiet();
});
