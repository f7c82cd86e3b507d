/** Rows that the uploader leaves out of a file, in a real browser. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectAccessible, expectNoHorizontalScroll } from "../../support/dashboard/browser.ts";
import { openDashboard, type OpenDashboard } from "../../support/dashboard/open-dashboard.ts";

let app: OpenDashboard;
beforeAll(async () => {
  app = await openDashboard();
});
afterAll(() => app.close());

const HEADER =
  "user_id,currency_code,transaction_amount,account_name,bank_account_number,ifsc_code,bank_code,bank_name";
const row = (place: number, amount: string, ifsc = "HDFC0000001") =>
  `U-${place},INR,${amount},Asha Rao,5010000123${place},${ifsc},HDFC,HDFC Bank`;

test("leaves out the total and a repeated row, shows them to the approver, and puts one back", async () => {
  const approver = await app.visitor(["approver"]);
  const { page, open, expectQuiet } = await app.visitor(["uploader"]);
  await open("/upload");
  const lines = [
    row(10, "10.00"),
    row(10, "10.00"),
    row(11, "12.50", "HDFC1"),
    "Total,,20.00,,,,,",
  ];
  await page
    .getByLabel("Choose a file", { exact: true })
    .and(page.locator("input"))
    .setInputFiles({
      name: "with-total.csv",
      mimeType: "text/csv",
      buffer: Buffer.from([HEADER, ...lines].join("\n")),
    });
  await page.getByText("Line 5 looks like a total").waitFor();
  await page.getByText("Its amount equals the total of the valid rows.").waitFor();
  await page.getByRole("button", { name: "Leave out line 5" }).click();
  await page.getByRole("heading", { name: "1 row left out" }).waitFor();
  const left = page.getByRole("region", { name: "1 row left out" });
  await left.getByText("20.00").waitFor();
  await page.getByText("looks like a total").waitFor({ state: "detached" });
  const errors = page.getByRole("region", { name: "Values to correct" });
  await errors.getByText("0 of 1 row edited").waitFor();

  // A warning that concerns the whole row has a button too.
  const advice = page.getByText("Leave one of the two rows out, unless both payouts are intended.");
  const leaveOut = page.getByRole("button", { name: "Leave this row out (line 3)" });
  await leaveOut.waitFor();
  expect(await advice.count()).toBe(1);
  await leaveOut.click();
  await page.getByRole("heading", { name: "2 rows left out" }).waitFor();
  await expectAccessible(page, "rows left out");
  await page.getByRole("button", { name: "Put back line 3" }).click();
  await page.getByRole("heading", { name: "1 row left out" }).waitFor();

  // A row that is corrected is again where it was in the file.
  await page.getByLabel("New value for ifsc_code on line 4").fill("HDFC0000001");
  await page.getByRole("button", { name: "Save 1 row" }).click();
  const read = page.getByRole("region", { name: "First rows as read by payrun" });
  await read.getByRole("row").getByText("INR 12.50").waitFor();
  await expect
    .poll(async () => {
      const order = await read.getByRole("row").allInnerTexts();
      return order.slice(1).map((text) => /^\D*(\d)/.exec(text)?.[1]);
    })
    .toEqual(["2", "3", "4"]);
  await page.getByLabel("Expected rows").fill("4");
  await page.getByText("3 rows will be sent.").waitFor();
  await page.getByLabel("Expected rows").fill("3");
  await page.getByText("3 rows will be sent.").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Send 3 rows for approval" }).click();
  await page.getByRole("heading", { level: 1, name: "with-total.csv" }).waitFor();
  await page.waitForURL(/\/batches\/[^/]+$/);
  const id = page.url().split("/").at(-1) ?? "";
  expectQuiet();

  await approver.open(`/batches/${id}/approval`);
  const shown = approver.page.getByRole("region", { name: "1 row left out" });
  await shown.getByText("Total", { exact: true }).waitFor();
  expect(await shown.getByRole("button").count()).toBe(0);
  await approver.page.setViewportSize({ width: 360, height: 740 });
  await expectNoHorizontalScroll(approver.page, "rows left out");
  approver.expectQuiet();
});
