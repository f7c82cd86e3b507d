/**
 * A file on its way into the ledger, in a real browser: clean, wrong and corrected, and already
 * uploaded.
 */
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import writeWorkbook from "write-excel-file/node";
import { expectAccessible, expectNoHorizontalScroll } from "../../support/dashboard/browser.ts";
import { openDashboard, type OpenDashboard } from "../../support/dashboard/open-dashboard.ts";
import { fileText } from "../../support/servers/payrun.ts";

let app: OpenDashboard;
beforeAll(async () => {
  app = await openDashboard();
});
afterAll(() => app.close());

const ACCOUNT_AT = 4;

const choose = async (page: Page, button: string, name: string, text: string | Buffer) => {
  await page
    .getByLabel(button, { exact: true })
    .and(page.locator("input"))
    .setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
};

test("uploads a clean file, checks it, and sends it for approval with totals from elsewhere", async () => {
  await app.visitor(["approver"]);
  const { page, open, expectQuiet } = await app.visitor(["uploader"]);
  await open("/upload");
  const file = fileText([{}, {}, { amount: "12.50" }]);
  await choose(page, "Choose a file", "salaries.csv", file);

  await page.getByRole("heading", { level: 1, name: "salaries.csv" }).waitFor();
  await page.getByText("No problems found").waitFor();
  const read = page.getByRole("region", { name: "First rows as read by payrun" });
  await read.getByRole("row").getByText("INR 12.50").waitFor();
  const details = page.getByRole("region", { name: "Details and totals" });
  await details.getByText("INR 212.50").waitFor();
  // The step that sends the batch is one click away from the top of the page.
  await page.getByRole("button", { name: "Send for approval", exact: true }).first().click();
  await page.keyboard.press("Tab");
  expect(await page.evaluate("document.activeElement.labels[0].textContent")).toBe("Name");
  await page
    .getByRole("navigation", { name: "Breadcrumb" })
    .getByRole("link", { name: "Batches" })
    .waitFor();
  await page.getByLabel("Expected rows").fill("3 rows");
  await page.getByLabel("Expected rows").blur();
  await page.getByText("Enter a whole number, such as 1200.").waitFor();
  // The totals of the file are no independent figure, so nothing copies them.
  expect(await details.getByRole("button").count()).toBe(0);
  await page.getByLabel("Expected rows").fill("3");
  await page.getByLabel("Expected totals").fill("INR 212,50");
  await page.getByLabel("Expected totals").blur();
  await page.getByText("Enter 212.50, with a decimal point.").waitFor();
  const submit = page.getByRole("button", { name: "Send 3 rows for approval" });
  expect(await submit.isDisabled()).toBe(true);
  await page.getByLabel("Expected totals").fill("INR 999");
  await submit.click();
  await page.getByText("You expected INR 999, but the payable rows total INR 212.50.").waitFor();
  await page.getByLabel("Expected totals").fill("INR 212.50");
  await details.getByLabel("Name").fill("Salaries of March");
  await details.getByLabel("Send a few first (canary)").fill("1");
  await details.getByLabel("Priority").selectOption("urgent");
  await expectAccessible(page, "the details of a batch");
  await submit.click();
  await page.waitForURL(/\/batches\/B\w+$/);
  const id = page.url().split("/").at(-1) ?? "";
  const batch = await app.payrun.database
    .selectFrom("batches")
    .select(["state", "approval_requested_at", "expected", "name", "priority"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  expect(batch).toMatchObject({
    state: "awaiting_approval",
    approval_requested_at: expect.any(Date),
    expected: { rows: 3, sums: { INR: "212.50" } },
    name: "Salaries of March",
    priority: "urgent",
  });
  const sheet = await app.visitor(["viewer"]);
  const answer = await sheet.page.request.get(`${app.url}/api/batches/${id}`);
  expect(await answer.json()).toMatchObject({
    canary: { payouts: 1 },
    send: null,
  });
  expectQuiet(/422/);
});

test("F88 keeps a workbook's zeros, reports numbers that may have lost some, and refuses a number that is too long", async () => {
  await app.visitor(["approver"]);
  const { page, open, expectQuiet } = await app.visitor(["uploader"]);
  const [names = "", sample = ""] = fileText([{ amount: "88.00" }]).split("\n");
  const row = (account: string | number) => sample.split(",").with(ACCOUNT_AT, account as string);
  const rows = [row("00501000001234"), row(501_000_001_235), row(1_234_567_890_123_450)];
  const book = await writeWorkbook([names.split(","), ...rows]).toBuffer();
  await open("/upload");
  await choose(page, "Choose a file", "salaries.xlsx", book);

  await page.getByRole("heading", { level: 1, name: "salaries.xlsx" }).waitFor();
  await page.getByText(/^All findings by kind/).click();
  await page.getByText("1 row: The workbook does not store bank_account_number exactly").waitFor();
  await page
    .getByText("1 row: bank_account_number is stored as a number in the workbook")
    .waitFor();
  const id = page.url().split("/").at(-2) ?? "";
  const report = await page.request.get(`${app.url}/api/batches/${id}/report`);
  expect(await report.text()).toContain("00501000001234");

  const submit = page.getByRole("button", { name: "Send 2 rows for approval" });
  await page.getByLabel("Continue without the 1 row with problems").check();
  expect(await submit.isDisabled()).toBe(true);
  await page.getByLabel("bank_account_number in 1 row: I have checked the values").check();
  await submit.click();
  await page.waitForURL(/\/batches\/B\w+$/);
  await open(`/batches/${id}/approval`);
  await page.getByText(/^Account in 1 row\./).waitFor();
  expectQuiet();
});

/** Pastes this text as Ctrl-V does, without the machine's clipboard. */
const paste = (page: Page, text: string) =>
  page.evaluate(`(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", ${JSON.stringify(text)});
    const paste = { clipboardData, bubbles: true, cancelable: true };
    document.activeElement.dispatchEvent(new ClipboardEvent("paste", paste));
  })()`);

test("counts rows pasted from a spreadsheet, uploads them on request, and keeps their zeros", async () => {
  const { page, open, expectQuiet } = await app.visitor(["uploader"], { width: 320 });
  const [header = "", row = ""] = fileText([{ amount: "91.00" }]).split("\n");
  const cells = row.split(",").with(ACCOUNT_AT, "00501000009191");
  await open("/upload");
  await page.getByText("At most 2 GB").waitFor();
  await paste(page, `${cells.join("\t")}\r\n`);
  await page
    .getByText(/^You pasted 1 row and \d+ columns\. payrun did not find any column names$/)
    .waitFor();
  expect(await page.getByRole("button", { name: /^Upload and check/ }).count()).toBe(0);
  await expectAccessible(page, "rows without a header");

  await page.getByLabel("Or paste rows from a spreadsheet").focus();
  await paste(page, `${header.replaceAll(",", "\t")}\r\n${cells.join("\t")}\r\n`);
  await page
    .getByText(/^You pasted 1 row and \d+ columns\. payrun found the column names$/)
    .waitFor();
  await expectNoHorizontalScroll(page, "pasted rows");
  await page.getByRole("button", { name: "Upload and validate 1 row" }).click();
  await page.getByRole("heading", { level: 1, name: /^pasted .* UTC\.csv$/ }).waitFor();
  await page.getByText("No problems found").waitFor();
  const id = page.url().split("/").at(-2) ?? "";
  const report = await page.request.get(`${app.url}/api/batches/${id}/report`);
  expect(await report.text()).toContain("00501000009191");
  expectQuiet();
});

test("groups wrong rows by correction, downloads them, and accepts the corrected file", async () => {
  const { page, open, expectQuiet } = await app.visitor(["uploader"], { width: 1280 });
  await open("/upload");
  const text = fileText([
    { amount: "31.00" },
    { amount: "32.00", ifsc: "HDFCO000001" },
    { amount: "12.555" },
    { amount: "34.00", ifsc: "nothing" },
  ]);
  await choose(page, "Choose a file", "wrong.csv", text);

  // Each problem is shown once, next to its value. The list by kind is folded.
  const values = page.getByRole("region", { name: "Values to correct" });
  await values
    .getByText(/^The IFSC has the letter O as its fifth character, expected the digit 0\./)
    .waitFor();
  await values.getByText(/^The IFSC has fewer than 11 characters\./).waitFor();
  expect(await page.getByRole("heading", { level: 2, name: "Problems" }).count()).toBe(0);
  await page.getByText("All findings by kind (3)").click();
  await page.getByText("1 row: The IFSC has fewer than 11 characters.").waitFor();
  await page.getByRole("heading", { level: 2, name: "Problems" }).waitFor();
  await page.getByRole("button", { name: "Show rows" }).first().click();
  await page.getByRole("heading", { name: "Rows with this finding" }).waitFor();
  await expectAccessible(page, "a file with findings");
  const submit = page.getByRole("button", { name: "Send 1 row for approval" });
  expect(await submit.isDisabled()).toBe(true);

  await page.getByRole("heading", { name: "Correct the rows in a file" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Rows with problems (CSV)" }).click(),
  ]);
  const rejects = readFileSync(await download.path(), "utf8");
  expect(rejects.split("\n")[0]).toContain("line,reason,hint");
  const repaired = rejects
    .replace("HDFCO000001", "HDFC0000001")
    .replace("nothing", "HDFC0000001")
    .replace("12.555", "12.55");
  await choose(page, "Choose the corrected file", "repaired.csv", repaired);
  await page.getByText("3 of 3 rows corrected. All rows are now valid.").waitFor();
  await page.getByText("No problems found").waitFor();
  await page.getByRole("button", { name: "Send 4 rows for approval" }).waitFor();
  expectQuiet();
});

test("shows the next page of wrong rows from its top, with the keyboard as well", async () => {
  const { page, open, expectQuiet } = await app.visitor(["uploader"]);
  await open("/upload");
  const rows = Array.from({ length: 30 }, (_, at) => ({ amount: `${at + 1}.5.5` }));
  await choose(page, "Choose a file", "many-wrong.csv", fileText(rows));
  await page.getByText(/^All findings by kind/).click();
  await page.getByRole("button", { name: "Show rows" }).first().click();
  await page.getByRole("button", { name: "Next rows" }).press("Enter");
  await page.getByRole("rowheader", { name: "12", exact: true }).waitFor();
  const region = page.getByRole("region", { name: "Rows", exact: true });
  expect(await region.evaluate("document.activeElement.getAttribute('aria-label')")).toBe("Rows");
  const top = (await region.boundingBox())?.y ?? -1;
  expect(top).toBeGreaterThan(70); // below the bar
  expect(top).toBeLessThan(300);
  expectQuiet();
});

test("F77 shows the same file as its existing batch, and a broken one with the reason", async () => {
  const { page, open, expectQuiet } = await app.visitor(["uploader"]);
  const text = fileText([{ amount: "77.00" }]);
  await open("/upload");
  await choose(page, "Choose a file", "once.csv", text);
  await page.getByText("No problems found").waitFor();
  await open("/upload");
  await choose(page, "Choose a file", "twice.csv", text);
  await page.getByText("This file has already been uploaded").waitFor();
  await choose(page, "Choose a file", "broken.csv", "user_id\n1\n");
  await page.getByText("broken.csv was rejected: no batch was created").waitFor();
  expectQuiet(/422/);

  await open("/batches?text=once");
  const [row] = await page.getByRole("row").filter({ hasText: "once.csv" }).all();
  expect(await row?.textContent()).toContain("INR 77.00");
  await page.getByRole("link", { name: "once.csv" }).click();
  await page.getByRole("heading", { level: 1, name: "once.csv" }).waitFor();
});

test("offers the user's last batch first, and its rows as a file to start from", async () => {
  const { page, open, expectQuiet } = await app.visitor(["uploader"]);
  await open("/upload");
  await page.getByText("At most 2 GB").waitFor();
  const earlier = page.getByRole("region", { name: "Start from an earlier batch" });
  expect(await earlier.count()).toBe(0);
  for (const [name, amount] of [
    ["first.csv", "61.00"],
    ["last.csv", "62.00"],
  ] as const) {
    await open("/upload");
    await choose(page, "Choose a file", name, fileText([{ amount }]));
    await page.getByRole("heading", { level: 1, name }).waitFor();
  }
  await open("/upload");
  await earlier.waitFor();
  await expectAccessible(page, "an earlier batch");
  const chosen = earlier.getByLabel("Batch").locator("option:checked");
  expect(await chosen.innerText()).toMatch(/^last\.csv, .*, 1 row, INR 62\.00$/);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    earlier.getByRole("button", { name: "Rows (CSV)" }).click(),
  ]);
  const text = readFileSync(await download.path(), "utf8");
  expect(download.suggestedFilename()).toMatch(/^B\w+-copy\.csv$/);
  await choose(page, "Choose a file", "next.csv", text.replace("62.00", "63.00"));
  await page.getByRole("heading", { level: 1, name: "next.csv" }).waitFor();
  await page.getByText("No problems found").waitFor();
  expectQuiet();
});

test("reports a batch without a valid row, and which parts are stored", async () => {
  const { page, open, expectQuiet } = await app.visitor(["uploader"], { width: 320 });
  await open("/upload");
  await choose(page, "Choose a file", "none.csv", fileText([{ amount: "1.5.5" }]));
  await page.getByRole("heading", { level: 1, name: "none.csv" }).waitFor();
  const id = page.url().split("/").at(-2) ?? "";
  await open(`/batches/${id}?tab=files`);
  await page.getByText("No rows in this file can be paid").waitFor();
  await page.getByText("payrun does not keep a copy of the file").waitFor();
  await expectNoHorizontalScroll(page, "the files of a batch");
  await expectAccessible(page, "the files of a batch");
  expect(await page.getByRole("region", { name: "Uploaded amount by state" }).count()).toBe(0);
  expectQuiet();
});
