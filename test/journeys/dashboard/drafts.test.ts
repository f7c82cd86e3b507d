/** A draft in a real browser: its warnings, its request for approval, and the withdrawal. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectAccessible } from "../../support/dashboard/browser.ts";
import { openDashboard, type OpenDashboard } from "../../support/dashboard/open-dashboard.ts";

let app: OpenDashboard;
beforeAll(async () => {
  app = await openDashboard();
});
afterAll(() => app.close());

const FILE = `user_id,currency_code,transaction_amount,account_name,bank_account_number,bank_code,bank_name,branch_code
J-1,JPY,1000,Tanaka Ken,12345,0001,Mizuho,015
J-2,JPY,500,Sato Hana,7654321,0001,Mizuho,015
`;

test("edits a value with a warning, sends the draft for approval, and withdraws it", async () => {
  const checker = await app.visitor(["approver"]);
  const { page, open, expectQuiet } = await app.visitor(["uploader"]);
  await open("/upload");
  await page
    .getByLabel("Choose a file", { exact: true })
    .and(page.locator("input"))
    .setInputFiles({ name: "yen.csv", mimeType: "text/csv", buffer: Buffer.from(FILE) });
  await page.getByRole("heading", { level: 1, name: "yen.csv" }).waitFor();
  const warnings = page.getByRole("region", { name: "Values with warnings" });
  const value = warnings.getByLabel("New value for bank_account_number on line 2");
  expect(await value.inputValue()).toBe("12345");
  await value.fill("0012345");
  await warnings.getByText("This value is valid.").waitFor();
  await expectAccessible(page, "a value with a warning");
  await warnings.getByRole("button", { name: "Save 1 row" }).click();
  await page.getByText("No problems found").waitFor();

  await page.getByRole("button", { name: "Send 2 rows for approval" }).click();
  await page.waitForURL(/\/batches\/B\w+$/);
  await page.getByText("Sent for approval. The batch now appears under Approvals for").waitFor();
  const id = page.url().split("/").at(-1) ?? "";
  const head = page.getByRole("main");
  await head.getByText("awaiting approval", { exact: true }).first().waitFor();
  await page.getByRole("button", { name: "Withdraw" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason").fill("a row is missing");
  await dialog.getByRole("button", { name: "Withdraw" }).click();
  await head.getByText("draft", { exact: true }).first().waitFor();
  await page.getByRole("button", { name: "Send for approval" }).waitFor();

  await checker.open(`/batches/${id}/approval`);
  await checker.page.getByText("Validated, but not sent for approval yet.").first().waitFor();
  expectQuiet();
});
