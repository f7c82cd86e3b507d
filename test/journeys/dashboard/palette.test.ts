/** The command palette: one search for pages, actions and records, with the keyboard only. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectAccessible, expectContrast } from "../../support/dashboard/browser.ts";
import { openDashboard, type OpenDashboard } from "../../support/dashboard/open-dashboard.ts";
import { eventually } from "../../support/servers/eventually.ts";
import { rowsOf } from "../../support/servers/payrun.ts";

/** The palette waits for the server. */
const SLOWLY = { timeout: 15_000 };

let app: OpenDashboard;
beforeAll(async () => {
  app = await openDashboard();
});
afterAll(() => app.close());

/** The option that Enter opens, as a screen reader finds it. */
async function selectedText(page: Page): Promise<string> {
  const input = page.getByRole("combobox", { name: /^Search pages/ });
  const id = await input.getAttribute("aria-activedescendant");
  return id === null ? "" : page.locator(`[id="${id}"]`).innerText();
}

test("opens pages and actions with the keyboard, and lists only permitted actions", async () => {
  const { page, open, expectQuiet } = await app.visitor(["uploader"]);
  const palette = page.getByRole("dialog", { name: "Search and commands" });
  await open("/batches");
  await page.keyboard.press("Control+k");
  await palette.getByRole("option", { name: "Upload a file" }).waitFor();
  expect(await palette.getByRole("option", { name: "Invite a user" }).count()).toBe(0);
  expect(await palette.getByRole("option", { name: "Pause or resume sending" }).count()).toBe(0);
  await expectAccessible(page, "the palette");
  await page.keyboard.press("Escape");
  await palette.waitFor({ state: "detached" });

  await page.getByRole("button", { name: /^Search payouts/ }).press("Enter");
  await expect.poll(() => page.locator(":focus").getAttribute("role")).toBe("combobox");
  await page.keyboard.type("csv");
  await expect.poll(() => selectedText(page)).toContain("Upload a file");
  await page.keyboard.press("Escape");
  await palette.waitFor({ state: "detached" });
  await expect.poll(() => page.locator(":focus").innerText()).toMatch(/^Search payouts/);

  await page.keyboard.press("/");
  for (const [typed, found] of [
    ["close", "Daily close"],
    ["settled", "Settled payouts"],
    ["reference", "API documentation"],
  ] as const) {
    await palette.getByRole("combobox").fill(typed);
    await palette.getByRole("option", { name: found }).waitFor();
  }
  await palette.getByRole("combobox").fill("api");
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => selectedText(page)).toContain("Settings: API keys");
  await page.keyboard.press("ArrowUp");
  await expect.poll(() => selectedText(page)).toContain("Create an API key");
  await page.keyboard.press("Enter");
  const heading = page.getByRole("heading", { level: 1, name: "API keys" });
  await heading.and(page.locator(":focus")).waitFor();
  expectQuiet();
});

test("keeps the letters typed while it opens, and opens the form of an action", async () => {
  const { page, open, expectQuiet } = await app.visitor(["uploader", "admin"]);
  const palette = page.getByRole("dialog", { name: "Search and commands" });
  await open("/batches");
  for (const label of ["Create a schedule", "Invite a user"]) {
    await page.keyboard.press("Control+k");
    await page.keyboard.type(label);
    const input = palette.getByRole("combobox");
    await expect.poll(() => input.inputValue()).toBe(label);
    await expect.poll(() => selectedText(page)).toContain(label);
    await page.keyboard.press("Enter");
    if (label === "Create a schedule") {
      await page.getByLabel("Name").and(page.locator(":focus")).waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }
  }
  const dialog = page.getByRole("dialog", { name: "Invite user" });
  await dialog.waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  expect(new URL(page.url()).hash).toBe("");
  expectQuiet();
});

test("finds a payout by its name or the beginning of its gateway number, and a batch by its ID", async () => {
  const { id } = await app.batch([{ amount: "71.00", code: "FOUND-1" }], "approved");
  const numbers = app.payrun.database
    .selectFrom("payouts as p")
    .innerJoin("payout_details as d", "d.payout_id", "p.id")
    .select("p.gateway_number as number")
    .where("d.transaction_code", "=", "FOUND-1");
  const number = await eventually("the gateway accepted the payout", async () => {
    const row = await numbers.executeTakeFirst();
    return row?.number ?? false;
  });
  const { page, open, expectQuiet } = await app.visitor(["viewer"], { theme: "dark" });
  const palette = page.getByRole("dialog", { name: "Search and commands" });
  await open("/");
  await page.keyboard.press("Control+k");
  await palette.getByRole("combobox").fill("asha rao");
  await palette.getByRole("group", { name: "Payouts" }).getByText("FOUND-1").waitFor();
  await palette.getByRole("combobox").fill(number.slice(0, -2));
  await palette.getByText(`FOUND-1 · gateway number ${number}`).waitFor();
  await expectContrast(page, "the palette in dark");
  await expect.poll(() => selectedText(page), SLOWLY).toContain("FOUND-1");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/payouts/FOUND-1");

  // It clears its field at the end of the closing animation.
  await palette.waitFor({ state: "hidden" });
  await page.keyboard.press("Control+k");
  await palette.getByRole("combobox").fill(id);
  await expect.poll(() => selectedText(page), SLOWLY).toContain(`Batch ${id}`);
  // An account as the dashboard displays it.
  const listed = await page.request.get("/api/payouts?code=FOUND-1");
  const [{ account_last4: last4 }] = (await listed.json()).items;
  await palette.getByRole("combobox").fill(`••${last4}`);
  await palette.getByRole("group", { name: "Payouts" }).getByText(`••${last4}`).first().waitFor();
  await palette.getByRole("combobox").fill(number.slice(0, 2).toLowerCase());
  await palette.getByText(`FOUND-1 · gateway number ${number}`).waitFor();
  await palette.getByRole("combobox").fill("no such thing 9x");
  await palette.getByRole("status").getByText("the last four digits of an account").waitFor();
  expectQuiet();
});

test("says how many more payouts a search finds, and opens the complete list", async () => {
  await app.batch(rowsOf(10, (index) => ({ name: "Zoe Many", code: `MANY-${index}` })));
  const { page, open, expectQuiet } = await app.visitor(["viewer"]);
  const palette = page.getByRole("dialog", { name: "Search and commands" });
  await open("/");
  await page.keyboard.press("Control+k");
  await palette.getByRole("combobox").fill("zoe");
  const all = palette.getByRole("option", { name: "Show all 10 payouts" });
  await all.getByText("2 more in the list").waitFor();
  await all.click();
  await page.waitForURL(/\/payouts\?text=zoe$/);
  await page.getByRole("status").getByText("10 payouts", { exact: true }).waitFor();
  expect(await page.getByRole("searchbox", { name: /^Name, amount/ }).inputValue()).toBe("zoe");
  expectQuiet();
});

test("shows the code of a payout on one line of a phone, and closes with a button", async () => {
  await app.batch([{ amount: "72.00", code: "PR0123456789ABCDEFGH" }]);
  const { page, open, expectQuiet } = await app.visitor(["viewer"], { width: 360, height: 740 });
  const palette = page.getByRole("dialog", { name: "Search and commands" });
  await open("/");
  await page.getByRole("button", { name: /^Search payouts/ }).click();
  await palette.getByRole("combobox").fill("asha rao");
  const code = palette.getByText(/^PR0123456789ABCDEFGH · ••\d{4}$/);
  await code.waitFor();
  const { height = 99 } = (await code.boundingBox()) ?? {};
  expect(height).toBeLessThan(24);
  await expectAccessible(page, "the palette on a phone");
  await palette.getByRole("button", { name: "Close the search" }).click();
  await palette.waitFor({ state: "hidden" });
  expectQuiet();
});
