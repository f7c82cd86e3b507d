/** By the keyboard alone: what has the focus goes when it has done its work, and the focus stays where one is. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pause } from "#flows/control.ts";
import { openDesk, type OpenDesk } from "../support/open-desk.ts";
import { rowsOf } from "../support/payrun.ts";
import { query } from "../support/postgres.ts";

let desk: OpenDesk;
beforeAll(async () => {
  desk = await openDesk({ settleMs: 600_000 });
});
afterAll(() => desk.close());

/** Run in the page, which has a document; the tests are compiled without one. */
const TWICE_AND_ESCAPE = `{
  const button = document.activeElement;
  button.click();
  button.click();
  button.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
}`;

const onFocus = (page: Page, role: "heading" | "button", name: string) => () =>
  page.getByRole(role, { name }).and(page.locator(":focus")).count();

test("a batch that goes on has no button for it any more: the focus is on the page's heading", async () => {
  const { id: batchId, ...batch } = await desk.batch(rowsOf(2), "approved");
  const order = { batchId, actor: "test", reason: "the bank called" };
  expect(await pause(order, desk.payrun.ledger)).toMatchObject({ ok: true });
  const { page, open, expectQuiet } = await desk.visitor(["operator"]);
  await open(`/batches/${batchId}`);
  await page.getByRole("button", { name: "Go on" }).press("Enter");
  await page.getByRole("dialog").getByLabel("Reason").fill("it is right");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Pause" }).waitFor();
  await expect.poll(onFocus(page, "heading", batch.fileName)).toBe(1);
  // Why it goes on is no word of whoever approved it.
  await open(`/batches/${batchId}/approval`);
  await page.getByText("Approved by").waitFor();
  expect(await page.getByText("it is right").count()).toBe(0);
  expectQuiet();
});

test("a question to which yes was said stays until it is done, or told why not", async () => {
  const { id } = await desk.batch(rowsOf(3), "approved");
  const { page, open, expectQuiet } = await desk.visitor(["operator"]);
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
  await page.getByRole("button", { name: "Pause" }).press("Enter");
  await dialog.getByLabel("Reason").fill("the bank called");
  // All in one moment, before the page has drawn that it is on its way.
  await dialog.getByRole("button", { name: "Pause" }).focus();
  await page.evaluate(TWICE_AND_ESCAPE);
  await page.keyboard.press("Escape");
  expect(await dialog.getByRole("button", { name: "Go back" }).isDisabled()).toBe(true);
  go();
  await dialog.getByText("No answer: it may have been done").waitFor();
  expect(times).toBe(1);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Pause" }).press("Enter");
  await dialog.getByLabel("Reason").waitFor();
  expect(await dialog.getByRole("alert").count()).toBe(0);
  expectQuiet(/502/);
});

test("a schedule or a limit that was removed leaves the focus on the heading above it", async () => {
  const { id: list } = await desk.batch(rowsOf(1));
  await query(
    desk.payrun.databaseUrl,
    `insert into schedules (id, name, calendar, source, lead_hours, grace_hours, expires_hours, maker)
     values ('SC1', 'Wages', '{"rule":{"every":"day"},"time":"09:00","zone":"Asia/Kolkata","holidays":null,"shift":"none"}',
       '{"kind":"list","batch":"${list}"}', 24, 4, 24, 'user:U1')`,
  );
  const operator = await desk.visitor(["operator"]);
  await operator.open("/schedules");
  await operator.page.getByRole("button", { name: "Remove Wages" }).press("Enter");
  await operator.page.getByRole("dialog").getByLabel("Reason").fill("not wanted any more");
  await operator.page.keyboard.press("Tab");
  await operator.page.keyboard.press("Tab");
  await operator.page.keyboard.press("Enter");
  await operator.page.getByText("Nothing is made by a schedule.").waitFor();
  await expect.poll(onFocus(operator.page, "heading", "Schedules")).toBe(1);
  operator.expectQuiet();

  const admin = await desk.visitor(["admin"]);
  await admin.open("/settings/limits");
  await admin.page.getByRole("button", { name: "Add a limit" }).press("Enter");
  await admin.page.getByRole("button", { name: "Remove limit 1" }).press("Enter");
  await expect.poll(onFocus(admin.page, "heading", "How much may be approved")).toBe(1);
  admin.expectQuiet();
});

test("a form that has nothing left to send leaves the focus on the heading above it", async () => {
  await desk.batch([{ amount: "3.00", code: "NOTED1" }]);
  const { page, open, expectQuiet } = await desk.visitor(["operator"]);
  await open("/payouts/NOTED1");
  await page.getByLabel("Note").fill("the bank was asked");
  await page.getByRole("button", { name: "Leave the note" }).press("Enter");
  await page.getByText("the bank was asked").waitFor();
  await expect.poll(onFocus(page, "heading", "Actions")).toBe(1);
  expectQuiet();
});

test("a button that works has the focus again when it was refused", async () => {
  const { page, open, expectQuiet } = await desk.stranger();
  await open("/login");
  await page.getByLabel("E-mail").fill("nobody@example.test");
  await page.getByLabel(/^Password/).fill("not the right one");
  await page.getByRole("button", { name: "Sign in" }).press("Enter");
  await page.getByRole("alert").waitFor();
  await expect.poll(onFocus(page, "button", "Sign in")).toBe(1);
  expectQuiet(/401/);
});

test("the page before is still to be had when a list was loaded anew", async () => {
  await desk.batch(rowsOf(60));
  const { page, open, expectQuiet } = await desk.visitor(["viewer"]);
  await open("/payouts");
  const first = page.getByRole("row").nth(1).getByRole("link").first();
  const begins = await first.textContent();
  await page.getByRole("button", { name: "Next page" }).press("Enter");
  await expect.poll(() => first.textContent()).not.toBe(begins);
  await page.reload();
  await page.getByRole("button", { name: "Previous page" }).press("Enter");
  await expect.poll(() => first.textContent()).toBe(begins);
  expectQuiet();
});
