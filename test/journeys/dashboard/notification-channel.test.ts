/** The form of a notification channel shows why an address is refused before it asks a password. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MINUTE_MS } from "../../support/actions/people.ts";
import { expectAccessible } from "../../support/dashboard/browser.ts";
import { openDashboard, type OpenDashboard } from "../../support/dashboard/open-dashboard.ts";

let app: OpenDashboard;
beforeAll(async () => {
  app = await openDashboard({}, "simulated", {
    SMTP_URL: "smtp://127.0.0.1:9",
    MAIL_FROM: "payrun@example.test",
  });
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
  // The button below the events would seem to do nothing if the field stayed out of sight.
  expect(await page.locator("input:focus").getAttribute("type")).toBe("url");

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
  // A heading above a single event would repeat its text.
  const groups = dialog.getByRole("group").filter({ has: page.getByRole("checkbox") });
  for (const group of await groups.all())
    expect(await group.getByRole("checkbox").count()).toBeGreaterThan(2);
  await dialog.getByText("Webhook", { exact: true }).click();
  await settled.check();
  await dialog.getByText("Example payload: payout_settled").click();
  await dialog.getByText('"gateway_number"').first().waitFor();

  await dialog.getByText("E-mail", { exact: true }).click();
  await dialog.getByText("Webhook", { exact: true }).click();
  expect(await settled.isChecked()).toBe(false);
  expectQuiet();
});

test("selects and clears the events of a group, and all events", async () => {
  const { page, open, expectQuiet } = await app.visitor(["admin"]);
  await open("/settings/notifications");
  await page.getByRole("button", { name: "Add channel" }).first().click();
  const dialog = page.getByRole("dialog");
  const all = dialog.getByRole("checkbox", { name: /^All events/ });
  const operations = dialog.getByRole("checkbox", { name: /^Operations/ });
  const alarm = dialog.getByLabel(/^An alarm needs attention/);
  await operations.waitFor();
  await operations.check();
  expect([await alarm.isChecked(), await all.isChecked()]).toEqual([true, false]);
  await operations.uncheck();
  expect(await alarm.isChecked()).toBe(false);
  // The other groups keep their events.
  expect(await dialog.getByLabel("A batch is awaiting approval").isChecked()).toBe(true);
  await all.check();
  const boxes = await dialog.getByRole("checkbox").all();
  expect(await Promise.all(boxes.map((box) => box.isChecked()))).not.toContain(false);
  await all.uncheck();
  expect(await dialog.getByRole("button", { name: "Add channel" }).isDisabled()).toBe(true);
  expectQuiet();
});

test("shows the event ID, payload and response of a delivery, and whether it arrived again", async () => {
  let status = 200;
  const received: string[] = [];
  const receiver = createServer((request, answer) => {
    received.push(String(request.headers["webhook-id"]));
    answer.writeHead(status).end(status === 200 ? "thanks" : "out of order");
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const { port } = receiver.address() as AddressInfo;
  const local = await openDashboard({}, "simulated", { WEBHOOK_ALLOW_PRIVATE: "yes" });
  const { page, open, userId, expectQuiet } = await local.visitor(["admin"]);
  await local.payrun.database
    .updateTable("sessions")
    .set({ stepped_up_until: new Date(Date.now() + 5 * MINUTE_MS), stepped_up_by: "password" })
    .where("user_id", "=", userId)
    .execute();
  await open("/settings/notifications");
  await page.getByRole("button", { name: "Add channel" }).first().click();
  const dialog = page.getByRole("dialog");
  // Without a mail server, e-mail cannot be chosen, and the form says what is missing.
  await dialog.getByText(/SMTP_URL and MAIL_FROM/).waitFor();
  expect(await dialog.getByRole("radio", { name: "E-mail" }).isDisabled()).toBe(true);
  expect(await dialog.getByRole("radio", { name: "Webhook" }).isChecked()).toBe(true);
  await dialog.getByLabel("Name").fill("Ledger");
  await dialog.getByLabel("URL").fill(`http://127.0.0.1:${port}/hook`);
  await dialog.getByRole("button", { name: "Add channel" }).click();
  await page.getByRole("button", { name: "Test: Ledger" }).click();
  await page.getByText("Test delivered.").waitFor();
  const [id = ""] = received;
  const row = page.getByRole("row").filter({ hasText: id });
  await row.getByText(`Event ID ${id}`).waitFor();
  await row.getByText("Response: thanks").waitFor();

  await row.getByRole("button", { name: /^Details/ }).click();
  const details = page.getByRole("dialog", { name: "test to Ledger" });
  await details.getByText(`"id": "${id}"`).waitFor();
  expect(await details.textContent()).not.toContain("whsec_");
  await expectAccessible(page, "the details of a delivery");
  await details.getByRole("button", { name: "Close" }).click();

  await row.getByRole("button", { name: /^Send again/ }).click();
  await page.getByRole("status").getByText("Ledger has received the event").waitFor();
  await page.getByText(`payrun sent the event “test” again with the same ID ${id}.`).waitFor();
  expect(received).toEqual([id, id]);
  status = 503;
  await row.getByRole("button", { name: /^Send again/ }).click();
  const failed = page.getByRole("status").filter({ hasText: "Ledger has not accepted the event" });
  await failed.getByText("HTTP 503").waitFor();
  await failed.getByText("Response: out of order").waitFor();
  await failed.getByText(/payrun tries again/).waitFor();
  await row.getByRole("button", { name: /^Details/ }).click();
  const attempts = details.getByRole("table", { name: "Attempts" }).locator("tbody tr");
  await attempts.nth(2).waitFor();
  const results = (await attempts.allTextContents()).map((text) => /HTTP \d+/.exec(text)?.[0]);
  expect(results).toEqual(["HTTP 503", "HTTP 200", "HTTP 200"]);
  await details.getByRole("button", { name: "Close" }).click();

  await page.getByRole("button", { name: "Edit: Ledger" }).click();
  const form = page.getByRole("dialog", { name: "Edit Ledger" });
  expect(await form.getByLabel("URL").inputValue()).toBe(`http://127.0.0.1:${port}/hook`);
  await form.getByText("The webhook secret stays the same.").waitFor();
  await form.getByLabel("Name").fill("Ledger 2");
  await form.getByLabel("URL").fill(`http://127.0.0.1:${port}/hook2`);
  await form.getByLabel("A payout settled").check();
  await expectAccessible(page, "the form of a channel");
  await form.getByRole("button", { name: "Save changes" }).click();
  await form.waitFor({ state: "detached" });
  const changed = page.getByRole("row").filter({ hasText: "/hook2" });
  await changed.getByText("Ledger 2").waitFor();
  const matrix = page.getByRole("region", { name: "Events by channel" }).first();
  await matrix.getByRole("row", { name: /^A payout settled Yes/ }).waitFor();
  await matrix.getByRole("columnheader", { name: "Ledger 2" }).waitFor();
  expectQuiet();
  await local.close();
  receiver.close();
});
