/**
 * Page addresses that people type, receive and return to: each leads to exactly what its page
 * shows.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDashboard, type OpenDashboard } from "../../support/dashboard/open-dashboard.ts";

let app: OpenDashboard;
beforeAll(async () => {
  app = await openDashboard({ settleMs: 600_000 });
});
afterAll(() => app.close());

test("shows an account that was revealed on the page of its payout only", async () => {
  await app.batch([
    { code: "ONE1", account: "11110000001", name: "Asha Rao" },
    { code: "TWO2", account: "22220000002", name: "Bala Iyer" },
  ]);
  const { page, open, expectQuiet } = await app.visitor(["operator"]);
  const goTo = async (code: string) => {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill(code);
    await page.getByRole("option").filter({ hasText: code }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/payouts/${code}`);
  };
  await open("/payouts/ONE1");
  await goTo("TWO2");
  await page.getByRole("heading", { level: 1, name: /Bala Iyer/ }).waitFor();
  await page.getByRole("button", { name: "Show full account" }).click();
  await page.getByRole("dialog").getByLabel("Reason").fill("a caller asks");
  await page.getByRole("button", { name: "Show account number" }).click();
  await page.getByText("22220000002").waitFor();
  await page.locator("summary", { hasText: "Add note" }).click();
  await page.getByLabel("Note").fill("Bala has called");
  await page.goBack();
  await page.getByRole("heading", { level: 1, name: /Asha Rao/ }).waitFor();
  expect(await page.getByText("22220000002").count()).toBe(0);
  expect(await page.getByLabel("Note").inputValue()).toBe("");
  await page.getByRole("button", { name: "Show full account" }).waitFor();
  expectQuiet();
});

test.each([
  ["/failures?currency=&foo=bar", "/failures"],
  ["/payouts?name=&utm_source=mail", "/payouts"],
  ["/batches?utm_source=mail&state=finished", "/batches?state=finished"],
  ["/audit?foo=bar", "/audit"],
])("leaves empty and unknown filters out of %s", async (given, address) => {
  const { page, open, expectQuiet, close } = await app.visitor(["viewer", "auditor"]);
  const asked = new RegExp(`/api/${given.split(/[/?]/)[1]}(\\?|$)`);
  const [answer] = await Promise.all([page.waitForResponse(asked), open(given)]);
  expect(answer.status()).toBe(200);
  await page.waitForURL(`**${address}`);
  expectQuiet();
  await close();
});

test("shows a not-found page with a way back for a missing object", async () => {
  const { page, open, expectQuiet } = await app.visitor(["viewer"]);
  for (const path of ["", "/approval", "/file"]) {
    await open(`/batches/NOPE${path}`);
    await page.getByRole("heading", { level: 1, name: "Batch not found" }).waitFor();
    await page.getByText("There is no batch NOPE in this ledger.").waitFor();
    expect(await page.getByRole("alert").count(), path).toBe(0);
  }
  await page.getByRole("main").getByRole("link", { name: "All batches" }).click();
  await page.getByRole("heading", { level: 1, name: "Batches" }).waitFor();
  await open("/payouts/NOPE");
  await page.getByRole("main").getByRole("link", { name: "All payouts" }).click();
  await page.getByRole("heading", { level: 1, name: "Payouts" }).waitFor();
  expectQuiet(/404/);
});

test("shows the page of unknown addresses for a break without a number", async () => {
  const { page, open, expectQuiet } = await app.visitor(["viewer"]);
  await open("/reconciliation/close");
  await page.getByRole("heading", { level: 1, name: "Page not found" }).waitFor();
  expect(await page.getByRole("alert").count()).toBe(0);
  expectQuiet();
});

test("keeps the page of a payout, and the typed text, when a refresh fails", async () => {
  const { page, open, expectQuiet } = await app.visitor(["operator"]);
  await page.clock.install();
  await open("/payouts/ONE1");
  await page.locator("summary", { hasText: "Add note" }).click();
  await page.getByLabel("Note").fill("Asha has called");
  const json = { title: "The ledger does not answer", status: 503, code: "ledger_unavailable" };
  await page.route("**/api/payouts/ONE1", (asked) => asked.fulfill({ status: 503, json }));
  // Returning from another tab refreshes the page.
  await page.clock.fastForward(10_000);
  await page.evaluate(`document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))`);
  await page.getByRole("alert").waitFor();
  expect(await page.getByLabel("Note").inputValue()).toBe("Asha has called");
  expectQuiet(/503/);
});
