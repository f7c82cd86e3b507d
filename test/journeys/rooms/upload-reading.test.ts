/** A file in another amount format and with other column names, in a real browser. */
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

const HEADER = "user_id,Currency,Amount,Beneficiary Name,A/c No,IFSC,bank_code,bank_name";
const row = (place: number, amount: string, ifsc: string) =>
  `U-${place},INR,"${amount}",Asha Rao,5010077770000${place},${ifsc},HDFC,HDFC Bank`;
const TEXT = [
  HEADER,
  row(1, "1,25,000.50", "HDFC0000001"),
  row(2, "18,400", "hdfc0000002"),
  row(3, "2,07,310.25", "HDFC00001"),
  "",
].join("\n");

test("F91 confirms the format and the columns of a file, and corrects its cells on the page", async () => {
  const { page, open, expectQuiet } = await app.visitor(["uploader"], { width: 360 });
  await open("/upload");
  await page
    .getByLabel("Choose a file", { exact: true })
    .and(page.locator("input"))
    .setInputFiles({ name: "vendors.csv", mimeType: "text/csv", buffer: Buffer.from(TEXT) });

  await page.getByText("Suggested amount format: Indian (lakh)").waitFor();
  await page.getByText("3 of 3 amounts fit this format.").waitFor();
  await expectAccessible(page, "a file to confirm");
  await expectNoHorizontalScroll(page, "a file to confirm");
  await page.getByRole("button", { name: "Confirm format and columns" }).click();

  await page.getByRole("heading", { level: 1, name: "vendors.csv" }).waitFor();
  const values = page.getByRole("region", { name: "Values to correct" });
  await values.getByText("Row 1 of 2").waitFor();
  await values.getByRole("button", { name: "Next row" }).click();
  await values.getByLabel("New value for IFSC on line 4").waitFor();
  expect(await values.getByRole("textbox").count()).toBe(1);
  await expectAccessible(page, "one row to correct");
  await expectNoHorizontalScroll(page, "one row to correct");
  await page.setViewportSize({ width: 1280, height: 900 });
  await values.getByRole("button", { name: "Use capital letters in 1 value…" }).click();
  await page.getByRole("button", { name: "Correct 1 value" }).click();
  await page.getByText("1 row corrected.").waitFor();
  await values.getByLabel("New value for IFSC on line 3").waitFor({ state: "detached" });
  const short = values.getByLabel("New value for IFSC on line 4");
  await short.fill("HDFC1");
  await values.getByText(/The IFSC has fewer than 11 characters/).waitFor();
  await short.fill("HDFC0000003");
  await values.getByText("This value is valid.").waitFor();
  await expectAccessible(page, "values to correct");
  await values.getByRole("button", { name: "Save 1 row" }).click();

  await page.getByText("No problems found").waitFor();
  await page.getByRole("button", { name: "Send 3 rows for approval" }).waitFor();
  const id = page.url().split("/").at(-2) ?? "";
  const batch = await page.request.get(`${app.url}/api/batches/${id}`);
  expect((await batch.json()).equation[0].approved).toBe("350710.75");
  expectQuiet(/422/);
});

const PAYROLL = [
  "Employee;Name;Account No;IFSC Code;Bank;Net Pay",
  "E-1;Asha Rao;50100777700011;HDFC0000001;HDFC;500",
  "E-2;Ravi Rao;50100777700012;SBIN0000002;SBIN;700",
  "E-2;Ravi Rao;50100777700012;SBIN0000002;SBIN;700",
  "",
].join("\n");

test("confirms the currency of all rows, and enters a value that the file lacks", async () => {
  const { page, open, expectQuiet } = await app.visitor(["uploader"], { width: 1280 });
  await open("/upload");
  await page
    .getByLabel("Choose a file", { exact: true })
    .and(page.locator("input"))
    .setInputFiles({ name: "payroll.csv", mimeType: "text/csv", buffer: Buffer.from(PAYROLL) });

  const currency = page.getByRole("combobox", { name: "Currency of all rows" });
  await currency.waitFor();
  expect(await currency.inputValue()).toBe("INR");
  await page.getByText("INR payouts also require: Bank code.").waitFor();
  await expectAccessible(page, "a file without a currency");
  const field = page.getByRole("combobox", { name: "Meaning of Employee" });
  const name = page.getByText("Employee", { exact: true }).first();
  const [text, input] = [await name.boundingBox(), await field.boundingBox()];
  const middle = (box: typeof text) => (box?.y ?? 0) + (box?.height ?? 0) / 2;
  expect(Math.abs(middle(text) - middle(input))).toBeLessThan(2);
  // Bank already holds the bank name, which INR payouts require too.
  expect(await page.getByRole("button", { name: "Use “Bank”" }).count()).toBe(0);
  await page.getByRole("button", { name: "Confirm the columns" }).click();

  await page.getByRole("heading", { level: 1, name: "payroll.csv" }).waitFor();
  const values = page.getByRole("region", { name: "Values to correct" });
  await values.getByText("Bank code is empty in 3 rows.").waitFor();
  await values.getByLabel("New value for Bank code on line 2").waitFor();
  await values
    .getByRole("combobox", { name: "Use the values of another column for Bank code" })
    .click();
  await page.getByRole("option", { name: "Bank", exact: true }).click();
  expect(await values.getByLabel("New value for Bank code on line 3").inputValue()).toBe("SBIN");
  await expectAccessible(page, "missing values to enter");
  await values.getByRole("button", { name: "Save 3 rows" }).click();

  await page.getByText("Leave one of the two rows out, unless both payouts").first().waitFor();
  await page.getByRole("button", { name: "Send 3 rows for approval" }).waitFor();
  await page.getByRole("button", { name: "Leave this row out (line 4)" }).first().click();
  await page.getByRole("button", { name: "Send 2 rows for approval" }).waitFor();
  const id = page.url().split("/").at(-2) ?? "";
  const sheet = await page.request.get(`${app.url}/api/batches/${id}/findings`);
  expect(JSON.stringify(await sheet.json())).toContain("All rows were read as INR payouts");
  expectQuiet(/422/);
});

const OWN_NAMES = [
  "user_id,transaction_amount,account_name,bank_account_number,ifsc_code,bank_code,bank_name",
  "E-9,510.00,Asha Rao,50100777700019,HDFC0000001,HDFC,HDFC Bank",
  "",
].join("\n");

test("asks for the currency only, if all columns have payrun's names", async () => {
  const { page, open, expectQuiet } = await app.visitor(["uploader"], { width: 360 });
  await open("/upload");
  await page
    .getByLabel("Choose a file", { exact: true })
    .and(page.locator("input"))
    .setInputFiles({ name: "own.csv", mimeType: "text/csv", buffer: Buffer.from(OWN_NAMES) });
  await page.getByRole("combobox", { name: "Currency of all rows" }).waitFor();
  await page.getByText("7 columns have names that payrun uses.").waitFor();
  const columns = page.getByRole("table", { name: "Columns" });
  expect(await columns.count()).toBe(0);
  await expectAccessible(page, "a file without a currency column");
  await page.getByRole("button", { name: "Show these columns" }).click();
  await columns.getByText("Same name").first().waitFor();
  await expectNoHorizontalScroll(page, "the columns of a file");
  expectQuiet(/422/);
});

test("lists every counted warning, also of a row with errors before it is corrected", async () => {
  const { page, open, expectQuiet } = await app.visitor(["uploader"]);
  const [names = "", sample = ""] = fileText([{ amount: "87.00" }]).split("\n");
  const numbered = (account: number, amount: string): (string | number)[] => {
    const cells: (string | number)[] = sample.split(",");
    return cells.with(4, account).with(2, amount);
  };
  const rows = [numbered(501_000_087_001, "87.00"), numbered(501_000_087_002, "eighty")];
  const book = await writeWorkbook([names.split(","), ...rows]).toBuffer();
  await open("/upload");
  await page
    .getByLabel("Choose a file", { exact: true })
    .and(page.locator("input"))
    .setInputFiles({ name: "warned.xlsx", mimeType: "text/csv", buffer: book });
  await page.getByRole("heading", { level: 1, name: "warned.xlsx" }).waitFor();
  await page.getByText("1 error, 2 warnings").waitFor();
  const errors = page.getByRole("region", { name: "Values to correct" });
  await errors.getByLabel("New value for transaction_amount on line 3").waitFor();
  await errors.getByLabel("New value for bank_account_number on line 3").waitFor();
  await errors.getByText(/^Warning: .* is stored as a number in the workbook/).waitFor();
  const warned = page.getByRole("region", { name: "Values with warnings" });
  await warned.getByRole("heading").click();
  await warned.getByLabel("New value for bank_account_number on line 2").waitFor();
  await warned.getByText(/^bank_account_number is stored as a number/).waitFor();
  expect(await warned.getByLabel(/^New value for /).count()).toBe(1);
  await expectAccessible(page, "a row with errors and warnings");
  expectQuiet();
});
