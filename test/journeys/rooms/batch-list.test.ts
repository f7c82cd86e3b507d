/** The list of batches: found, filtered by state, sorted, summed and downloaded. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";

import { expectAccessible, expectNoHorizontalScroll } from "../../support/dashboard/browser.ts";
import { openDashboard, type OpenDashboard } from "../../support/dashboard/open-dashboard.ts";
import { rowsOf } from "../../support/servers/payrun.ts";

const BATCHES = 60;

let app: OpenDashboard;
let ids: string[];
beforeAll(async () => {
  app = await openDashboard({ settleMs: 600_000 });
  ids = [];
  for (let index = 0; index < BATCHES; index += 1) {
    const currencies = index === 0 ? (["IDR", "INR", "PHP", "THB"] as const) : (["INR"] as const);
    const rows = rowsOf(currencies.length, (place) => ({
      currency: currencies[place] ?? "INR",
      amount: "1200.00",
    }));
    ids.push((await app.batch(rows)).id);
  }
});
afterAll(() => app.close());

test("finds batches by text and state, with their number and sums", async () => {
  const { page, open, expectQuiet } = await app.visitor(["viewer"]);
  await open("/batches");
  const count = page.getByRole("status");
  await count.getByText(`${BATCHES} batches`).waitFor();
  await page.getByRole("button", { name: "1 more currency" }).waitFor();
  await page.getByRole("button", { name: "State" }).click();
  const states = page.getByRole("dialog");
  await states.getByText(`${BATCHES}`, { exact: true }).first().waitFor();
  await states.getByLabel("awaiting approval").check();
  await page.waitForURL(/state=awaiting_approval/);
  await expectAccessible(page, "the states of batches");
  await states.getByLabel("cancelled").check();
  await page.waitForURL(/state=awaiting_approval(,|%2C)cancelled/);
  await count.getByText(`${BATCHES} batches`).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Clear all" }).click();
  const text = page.getByRole("searchbox", { name: "Name, purpose, file or batch ID" });
  await text.fill(ids[0] ?? "");
  await text.press("Enter");
  await count.getByText("1 batch", { exact: true }).waitFor();
  expect(new URL(page.url()).search).toBe(`?text=${ids[0]}`);
  expectQuiet();
});

test("has views with the number of their batches, which keep the other filters", async () => {
  const { page, open, expectQuiet } = await app.visitor(["viewer"]);
  await open(`/batches?text=${ids[0]}`);
  const views = page.getByRole("navigation", { name: "Views" });
  await views.getByRole("link", { name: "All 1", exact: true }).waitFor();
  await views.getByRole("link", { name: "Needs attention 0" }).click();
  await page.waitForURL(/state=paused/);
  await page.getByText("No batches match these filters.").waitFor();
  await page.getByRole("button", { name: "Clear 2 filters" }).click();
  await page.waitForURL((url) => url.search === "");
  await views.getByRole("link", { name: `Awaiting approval ${BATCHES}` }).click();
  await page.getByRole("status").getByText(`${BATCHES} batches`).waitFor();
  await page.waitForURL(/state=awaiting_approval$/);
  expect(await views.locator("[aria-current]").allTextContents()).toEqual([
    `Awaiting approval ${BATCHES}`,
  ]);
  await expectAccessible(page, "the views of batches");
  await views.getByRole("link", { name: "Drafts 0" }).click();
  await page.getByText("No batches in “Drafts”.").waitFor();
  await page.getByRole("button", { name: "Clear 1 filter" }).waitFor();
  expectQuiet();
});

test("keeps every digit of an amount in copied text", async () => {
  const { page, open, expectQuiet } = await app.visitor(["viewer"]);
  await open(`/batches?text=${ids[1]}`);
  const cell = page.getByRole("cell", { name: "INR 1,200.00", exact: true });
  await cell.selectText();
  const copied = await page.evaluate<string>("document.getSelection().toString().trim()");
  expect(copied).toBe("INR 1,200.00");
  expectQuiet();
});

test("names who takes the next step where the reader may not", async () => {
  const { page, open, expectQuiet } = await app.visitor(["viewer"]);
  await open(`/batches?text=${ids[0]}`);
  await page.getByRole("cell", { name: "Approver", exact: true }).waitFor();
  expect(await page.getByRole("link", { name: "Review" }).count()).toBe(0);
  expectQuiet();
});

test("loads batches as the reader scrolls, and sorts them on the server", async () => {
  const { page, open, expectQuiet } = await app.visitor(["viewer"]);
  await open("/batches");
  const isComplete = page.getByText(`${BATCHES} rows shown`);
  await expect
    .poll(
      async () => {
        await page.keyboard.press("End");
        return isComplete.count();
      },
      { timeout: 20_000 },
    )
    .toBe(1);
  await page
    .getByRole("columnheader", { name: "Uploaded", exact: true })
    .getByRole("button")
    .click();
  await page.waitForURL(/sort=oldest/);
  await page
    .getByRole("row")
    .nth(1)
    .getByText(ids[0] ?? "")
    .waitFor();
  expectQuiet();
});

test("downloads exactly the filtered batches, one row for each currency", async () => {
  const { page, open, expectQuiet } = await app.visitor(["viewer"]);
  await open(`/batches?text=${ids[0]}`);
  await page.getByRole("button", { name: "Export" }).click();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "CSV" }).click(),
  ]);
  const lines = readFileSync(await file.path(), "utf8")
    .trim()
    .split("\n");
  expect(lines).toHaveLength(1 + 4);
  expectQuiet();
});

test("links the tasks that Home does not list to exactly their batches", async () => {
  const { page, open, expectQuiet } = await app.visitor(["approver"]);
  await open("/");
  const all = page.getByRole("link", { name: /^All \d+ batches to approve$/ });
  const count = /\d+/.exec(await all.innerText())?.[0];
  expect(Number(count)).toBeGreaterThan(5);
  await all.click();
  await page.getByRole("heading", { level: 1, name: "Approvals" }).waitFor();
  await page.getByRole("status").getByText(`${count} batches`).first().waitFor();
  expectQuiet();
});

test("lists the batches in which the reader has a task", async () => {
  const { page, open, expectQuiet } = await app.visitor(["uploader"]);
  await open("/batches?task=retry");
  await page.getByRole("button", { name: /^Your tasks.*Retry declined payouts/ }).waitFor();
  await page.getByText("No batches match these filters.").waitFor();
  expect(await page.getByRole("row").count()).toBe(0);
  expectQuiet();
});

test("offers the approver of a batch its review, also in a card on a phone", async () => {
  const size = { width: 360, height: 740 };
  const { page, open, expectQuiet } = await app.visitor(["approver"], size);
  await open("/batches?sort=oldest");
  await page.getByRole("button", { name: "4 currencies · 4 payouts" }).waitFor();
  await expectNoHorizontalScroll(page, "batches");
  const card = await page.getByRole("row").nth(2).boundingBox();
  expect(card?.height).toBeLessThanOrEqual(84);
  expect(await page.getByText(ids[1] ?? "").isVisible()).toBe(false);
  await expectAccessible(page, "batches as cards");
  const reviews = page.getByRole("link", { name: "Review" });
  expect(await reviews.count()).toBe(10);
  await page.getByRole("button", { name: "Show all 50 rows" }).click();
  await expect.poll(() => reviews.count()).toBeGreaterThanOrEqual(50);
  await page.getByRole("link", { name: "Review" }).first().click();
  await page.waitForURL(new RegExp(`/batches/${ids[0]}/approval`));
  expectQuiet();
});
