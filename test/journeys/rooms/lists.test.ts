/** The list of payouts: found by beginnings, sorted, counted, selected and downloaded. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";

import { expectAccessible, expectNoHorizontalScroll } from "../../support/dashboard/browser.ts";
import { openDashboard, type OpenDashboard } from "../../support/dashboard/open-dashboard.ts";
import { rowsOf } from "../../support/servers/payrun.ts";

const NAMES = ["Arun Kumar", "Kavita Joshi", "박지훈", "田中 美咲", "สมชาย ใจดี"];
const ROWS = 260;

let app: OpenDashboard;
beforeAll(async () => {
  app = await openDashboard({ settleMs: 600_000 });
  await app.batch(
    rowsOf(ROWS, (index) => ({
      name: NAMES[index % NAMES.length] ?? "",
      amount: index === 0 ? "22407.13" : `${100 + index}.50`,
      code: `LIST-${index}`,
    })),
  );
});
afterAll(() => app.close());

test("finds payouts by the beginning of a name or the whole part of an amount, with their sum", async () => {
  const { page, open, expectQuiet } = await app.visitor(["viewer"]);
  await open("/payouts");
  await page.getByText(`${ROWS} payouts`).waitFor();
  const text = page.getByRole("searchbox", { name: "Name, amount, code or number" });
  await text.pressSequentially("ar");
  await page.getByText("3 or more characters").waitFor();
  expect(new URL(page.url()).search).toBe("");
  await text.pressSequentially("u");
  await page.getByText("52 payouts").waitFor();
  // The field keeps the focus and later keys while the list is searched.
  await text.pressSequentially("n x");
  await page.waitForURL(/text=arun\+x|text=arun%20x/);
  expect(await text.inputValue()).toBe("arun x");
  await page.goBack();
  await page.waitForURL((url) => url.pathname !== "/payouts");
  await open("/payouts");
  await text.fill("INR 22407");
  await text.press("Enter");
  await page.getByRole("status").getByText("1 payout", { exact: true }).waitFor();
  await page.getByText("INR 22,407.13").first().waitFor();
  expect(new URL(page.url()).searchParams.get("text")).toBe("INR 22407");

  await page.getByRole("button", { name: "State" }).click();
  await page.getByRole("dialog").getByLabel("awaiting approval").check();
  await page.waitForURL(/state=awaiting_approval/);
  await expectAccessible(page, "a filter chip");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Clear all" }).click();
  await page.getByText(`${ROWS} payouts`).waitFor();
  expectQuiet();
});

test("shows each text filter of a link as a chip that removes only this filter", async () => {
  const { page, open, expectQuiet } = await app.visitor(["viewer"]);
  await open("/payouts?code=LIST-1&amount=110&name=arun");
  const filters = page.getByRole("search", { name: "Payouts" });
  for (const chip of ["Amount 110", "Beneficiary arun", "Transaction code LIST-1"]) {
    await filters.getByRole("button", { name: chip, exact: true }).waitFor();
  }
  await page.getByRole("status").getByText("1 payout", { exact: true }).waitFor();
  await filters.getByRole("button", { name: "Remove the filter Amount" }).click();
  await page.getByRole("status").getByText("22 payouts", { exact: true }).waitFor();
  expect(new URL(page.url()).search).toBe("?name=arun&code=LIST-1");
  expectQuiet();
});

test("removes an unknown filter of a link, says so, and shows the list", async () => {
  const { page, open, expectQuiet } = await app.visitor(["viewer"]);
  await open("/payouts?state=nonsense&name=arun");
  await page.getByText("Unknown filter state=nonsense was removed.").waitFor();
  await page.getByRole("status").getByText("52 payouts", { exact: true }).waitFor();
  expect(new URL(page.url()).search).toBe("?name=arun");
  expect(await page.getByRole("alert").count()).toBe(0);
  await page.getByRole("button", { name: "Hide this message" }).click();
  await page.getByText(/^Unknown filter/).waitFor({ state: "detached" });
  expectQuiet(/400/);
});

test("loads rows as the reader scrolls, draws few rows at a time, and sorts on the server", async () => {
  const { page, open, expectQuiet } = await app.visitor(["viewer"]);
  await open("/payouts");
  await page.getByText(`LIST-${ROWS - 1}`, { exact: true }).waitFor();
  const isComplete = page.getByText(`${ROWS} rows shown`);
  await expect
    .poll(
      async () => {
        await page.keyboard.press("End");
        return isComplete.count();
      },
      { timeout: 20_000 },
    )
    .toBe(1);
  const last = page.getByText("LIST-0", { exact: true });
  await expect
    .poll(
      async () => {
        await page.keyboard.press("End");
        return last.count();
      },
      { timeout: 20_000 },
    )
    .toBe(1);
  expect(await page.getByRole("row").count()).toBeLessThan(120);

  await page.keyboard.press("Home");
  await page.getByRole("columnheader", { name: "Batch" }).getByRole("button").click();
  await page.waitForURL(/sort=oldest/);
  await page.getByText("LIST-0", { exact: true }).waitFor();
  expectQuiet();
});

test("remembers the columns and the row height of the list", async () => {
  const { page, open, expectQuiet } = await app.visitor(["viewer"]);
  await open("/payouts?code=LIST-1");
  await page.getByRole("button", { name: "Display" }).click();
  await page.getByLabel("Reference").check();
  // It links, so it cannot be hidden.
  expect(await page.getByRole("checkbox", { name: "Beneficiary", exact: true }).count()).toBe(0);
  await page.getByLabel("Batch", { exact: true }).uncheck();
  await page.getByLabel("Row height").selectOption("Compact");
  await page.reload();
  await page.getByRole("columnheader", { name: "Reference" }).waitFor();
  expect(await page.getByRole("columnheader", { name: "Batch" }).count()).toBe(0);
  expect(await page.getByRole("table").getAttribute("data-density")).toBe("compact");
  expectQuiet();
});

test("sums selected rows and offers what can be done with them", async () => {
  const { page, open, expectQuiet } = await app.visitor(["operator"]);
  await open("/payouts?code=LIST-2");
  await page.getByLabel("Select LIST-21", { exact: true }).check();
  await page.getByLabel("Select LIST-22", { exact: true }).check();
  const bar = page.getByRole("region", { name: "Selected rows" });
  await bar.getByText("2 selected").waitFor();
  await bar.getByText("INR 244.00").waitFor();
  // The header of the table stays visible, and would cover a row.
  await page.keyboard.press("Home");
  await expectAccessible(page, "selected rows");
  expect(await bar.getByRole("button", { name: /^Assign/ }).count()).toBe(0);
  await bar.getByRole("button", { name: "Clear selection" }).click();
  await bar.waitFor({ state: "detached" });
  expect(await page.getByLabel("Select LIST-21", { exact: true }).isChecked()).toBe(false);
  expectQuiet();
});

test("downloads exactly the filtered rows", async () => {
  const { page, open, expectQuiet } = await app.visitor(["viewer"]);
  await open("/payouts?name=kavita&sort=oldest");
  await page.getByRole("button", { name: "Export" }).click();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "CSV" }).click(),
  ]);
  const lines = readFileSync(await file.path(), "utf8")
    .trim()
    .split("\n");
  expect(lines).toHaveLength(1 + ROWS / NAMES.length);
  expect(lines[1]).toContain("LIST-1,");
  expectQuiet();
});

test("shows a table on a tablet that does not scroll sideways", async () => {
  const { page, open, expectQuiet } = await app.visitor(["viewer"], { width: 768, height: 900 });
  await open("/payouts");
  await page.getByRole("columnheader", { name: "Beneficiary" }).waitFor();
  expect(await page.getByRole("columnheader", { name: "Beneficiary" }).isVisible()).toBe(true);
  expect(await page.getByRole("columnheader", { name: "Transaction code" }).count()).toBe(0);
  const list = page.getByRole("region", { name: "Payouts found" });
  const table = list.getByRole("table");
  expect((await table.boundingBox())?.width).toBeLessThanOrEqual(
    (await list.boundingBox())?.width ?? 0,
  );
  await page.getByRole("button", { name: "Display" }).click();
  await page.getByLabel("Transaction code").check();
  await page.getByRole("columnheader", { name: "Transaction code" }).waitFor();
  await expectNoHorizontalScroll(page, "payouts on a tablet");
  expectQuiet();
});

test("has views with the number of their payouts", async () => {
  const { page, open, expectQuiet } = await app.visitor(["viewer"]);
  await open("/payouts?name=arun");
  const views = page.getByRole("navigation", { name: "Views" });
  await views.getByRole("link", { name: "All 52", exact: true }).waitFor();
  await views.getByRole("link", { name: "In doubt 0" }).click();
  await page.waitForURL(/name=arun&state=in_doubt|state=in_doubt&name=arun/);
  expect(await views.locator("[aria-current]").allTextContents()).toEqual(["In doubt 0"]);
  await page.getByText("No payouts match these filters.").waitFor();
  await page.getByRole("button", { name: "Clear 2 filters" }).click();
  await page.getByRole("status").getByText(`${ROWS} payouts`).waitFor();
  expect(new URL(page.url()).search).toBe("");
  expectQuiet();
});

test("shows cards on a phone, without a sideways scroll", async () => {
  const { page, open, expectQuiet } = await app.visitor(["viewer"], { width: 360, height: 740 });
  await open("/payouts");
  await page.getByText("INR 359.50").first().waitFor();
  await expectNoHorizontalScroll(page, "payouts");
  await expectAccessible(page, "payouts as cards");
  expect(await page.getByRole("rowheader").first().isVisible()).toBe(true);
  const card = await page.getByRole("row").nth(1).boundingBox();
  expect(card?.height).toBeLessThanOrEqual(84);
  expect(await page.getByText(`LIST-${ROWS - 1}`, { exact: true }).isVisible()).toBe(false);
  expectQuiet();
});
