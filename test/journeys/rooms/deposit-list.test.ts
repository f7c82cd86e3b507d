/**
 * The list of deposits: filtered with chips, sorted, exported and shown as cards. The form that
 * requests a deposit.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";

import { expectAccessible, expectNoHorizontalScroll } from "../../support/dashboard/browser.ts";
import { openDashboard, type OpenDashboard } from "../../support/dashboard/open-dashboard.ts";
import { requestedDeposit } from "../../support/dashboard/requested-deposit.ts";

let app: OpenDashboard;
let inr: string;
let krw: string;
beforeAll(async () => {
  app = await openDashboard();
  ({ code: inr } = await requestedDeposit(app, { currency: "INR", amount: "1200.00" }));
  ({ code: krw } = await requestedDeposit(app, { currency: "KRW", amount: "50000" }));
});
afterAll(() => app.close());

test("filters deposits by state with counts, sorts them and exports exactly those listed", async () => {
  const { page, open, expectQuiet } = await app.visitor(["viewer"]);
  await open("/deposits");
  await page.getByText("2 deposits").waitFor();
  await page.getByRole("columnheader", { name: "Requested at" }).getByRole("button").click();
  await page.waitForURL(/sort=oldest/);
  await page.getByRole("row").nth(1).getByRole("link", { name: inr }).waitFor();
  await page.getByRole("button", { name: "State" }).click();
  await page.getByRole("dialog").getByLabel("awaiting payment").check();
  await page.keyboard.press("Escape");
  await page.getByText("1 deposit", { exact: true }).waitFor();
  await expectAccessible(page, "deposits");
  await page.getByRole("button", { name: "Export" }).click();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "CSV" }).click(),
  ]);
  const text = readFileSync(await file.path(), "utf8");
  expect(text).toContain(inr);
  expect(text).not.toContain(krw);
  expectQuiet();
});

test("shows deposits as cards on a phone, without a sideways scroll", async () => {
  const { page, open, expectQuiet } = await app.visitor(["viewer"], { width: 360, height: 740 });
  await open("/deposits");
  await page.getByText("2 deposits").waitFor();
  await expectNoHorizontalScroll(page, "deposits");
  await expectAccessible(page, "deposits as cards");
  expect(await page.getByRole("columnheader").getByRole("button").count()).toBe(0);
  expectQuiet();
});

test("shows only the fields of the chosen currency and method, and sends no others", async () => {
  const { page, open, expectQuiet } = await app.visitor(["uploader"], { width: 360, height: 740 });
  await open("/deposits/new");
  const labels = async () =>
    (await page.locator("form label").allInnerTexts()).map((label) => label.replace(" *", ""));
  const common = ["Currency", "Amount", "User", "Payer's name"];
  const method = "Choose a payment method or bank";
  expect(await labels()).toEqual([...common, "Reference", method]);
  await page.getByLabel("Currency").selectOption("BDT");
  expect(await labels()).toEqual([...common, "Phone", "Reference", method]);
  await page.getByLabel("Phone").fill("12");
  await page.getByLabel("Currency").selectOption("KRW");
  await page.getByLabel(method).check();
  expect(await labels()).toEqual([...common, "Reference", method, "Payment method"]);
  await page.getByLabel("Currency").selectOption("INR");
  await page.getByLabel("Bank code").waitFor();
  await page.getByLabel("Amount").fill("100");
  await page.getByLabel("User").fill("customer-8");
  await page.getByLabel("Payer's name").fill("Asha Rao");
  await page.getByRole("button", { name: "Request deposit" }).click();
  await page.getByRole("heading", { level: 1, name: "Deposit of INR 100.00" }).waitFor();
  await expectNoHorizontalScroll(page, "deposit");
  await expectAccessible(page, "deposit");
  expectQuiet();
});
