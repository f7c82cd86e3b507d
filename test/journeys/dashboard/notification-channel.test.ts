/** The form of a notification channel shows why an address is refused before it asks a password. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDashboard, type OpenDashboard } from "../../support/dashboard/open-dashboard.ts";

let app: OpenDashboard;
beforeAll(async () => {
  app = await openDashboard();
});
afterAll(() => app.close());

test("shows why a webhook address is refused before it asks for the password", async () => {
  const { page, open, expectQuiet } = await app.visitor(["admin"]);
  await open("/settings/notifications");
  await page.getByRole("button", { name: "Add channel" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Webhook", { exact: true }).click();
  await dialog.getByLabel("Name").fill("Ledger");
  const address = dialog.getByLabel("URL");
  await address.fill("http://example.com/hook");
  await dialog.getByRole("button", { name: "Add channel" }).click();
  await dialog.getByText("it must start with https://").waitFor();
  expect(await page.getByRole("textbox", { name: "Password" }).count()).toBe(0);
  expect(await address.getAttribute("aria-invalid")).toBe("true");

  await address.fill("https://example.com/hook");
  await dialog.getByText("it must start with https://").waitFor({ state: "detached" });
  await dialog.getByRole("button", { name: "Add channel" }).click();
  await page.getByRole("textbox", { name: "Password" }).waitFor();
  expectQuiet(/403/);
});

test("offers events of single payouts to webhooks only, with an example", async () => {
  const { page, open, expectQuiet } = await app.visitor(["admin"]);
  await open("/settings/notifications");
  await page.getByRole("button", { name: "Add channel" }).first().click();
  const dialog = page.getByRole("dialog");
  const settled = dialog.getByLabel("A payout settled");
  await dialog.getByLabel("A batch was approved").waitFor();
  expect(await settled.count()).toBe(0);
  await dialog.getByText("Webhook", { exact: true }).click();
  await settled.check();
  await dialog.getByText("Example payload: payout_settled").click();
  await dialog.getByText('"gateway_number"').first().waitFor();

  await dialog.getByText("E-mail", { exact: true }).click();
  await dialog.getByText("Webhook", { exact: true }).click();
  expect(await settled.isChecked()).toBe(false);
  expectQuiet();
});
