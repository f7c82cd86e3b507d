/** Names of files, batches and schedules in a real browser: in any script and of any length. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectNoHorizontalScroll, type Visitor } from "../../support/dashboard/browser.ts";
import { openDashboard, type OpenDashboard } from "../../support/dashboard/open-dashboard.ts";
import { fileText, rowsOf, type TestRow } from "../../support/servers/payrun.ts";

let app: OpenDashboard;
beforeAll(async () => {
  app = await openDashboard();
});
afterAll(() => app.close());

/** Runs in the page, which has a document. The tests are compiled without one. */
const WIDEST_CELL = `Math.max(0, ...[...document.querySelectorAll("main :is(td, tbody th)")].map((each) => each.clientWidth))`;

/** Position of a name in reading order: a lower line comes later. */
const placeOf = (text: string) => `{
  const given = [...document.querySelectorAll("main td *, main th *")].filter((each) => each.textContent === "${text}");
  const { x, y } = given.at(-1).getClientRects()[0];
  y * 10_000 + x;
}`;

interface Brought {
  readonly file: string;
  readonly name: string;
  readonly purpose?: string;
  readonly rows: readonly TestRow[];
}

async function upload({ page, open }: Visitor, { file, name, purpose = "", rows }: Brought) {
  await open("/upload");
  const folded = page.locator("summary", { hasText: "Details" });
  if (await folded.isVisible()) await folded.click();
  for (const field of ["Name", "Purpose"]) {
    const most = await page.getByLabel(field, { exact: true }).getAttribute("maxlength");
    expect(most, field).toBe("200");
  }
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Purpose", { exact: true }).fill(purpose);
  const buffer = Buffer.from(fileText(rows));
  const chosen = { name: file, mimeType: "text/csv", buffer };
  await page.locator("input[type=file]").first().setInputFiles(chosen);
  await page.waitForURL(/\/batches\/B[0-9A-Z]+\/file$/);
  return page.url().split("/").at(-2) ?? "";
}

test("shows a batch by its given name, and isolates right-to-left names", async () => {
  const name = "رواتب (3)";
  const file = "תשלומים";
  const beneficiary = "شركة 123 المحدودة";
  const { page, open, expectQuiet, close } = await app.visitor(["approver"]);
  const maker = await app.visitor(["uploader"]);
  const rows = [{ name: beneficiary, amount: "77.00", code: "RIGHT1" }];
  const id = await upload(maker, { file, name, purpose: "2026 נובמבר", rows });
  await maker.page.getByRole("heading", { level: 1, name }).waitFor();
  await maker.page.getByRole("button", { name: "Send 1 row for approval" }).click();
  await maker.page.waitForURL(new RegExp(`/batches/${id}$`));
  await maker.page.getByRole("heading", { level: 1, name }).waitFor();
  await maker.page.getByText("Purpose: 2026 נובמבר").waitFor();

  await maker.open("/batches");
  await maker.page.getByRole("row", { name: id }).getByRole("link", { name }).waitFor();
  // The file, then its purpose, as in every other row, even where the line breaks between or within
  // them.
  const fileAt = Number(await maker.page.evaluate(placeOf(file)));
  expect(fileAt).toBeLessThan(Number(await maker.page.evaluate(placeOf("2026 נובמבר"))));
  await maker.open("/payouts/RIGHT1");
  const heading = maker.page.getByRole("heading", { level: 1 });
  expect(await heading.textContent()).toBe(`INR 77.00 to \u2068${beneficiary}\u2069`);
  await maker.page.getByRole("definition").filter({ hasText: name }).waitFor();
  maker.expectQuiet();
  await maker.close();

  await open("/approvals");
  await page.getByRole("link", { name }).click();
  await page.getByRole("heading", { level: 1, name: `Approve \u2068${name}\u2069?` }).waitFor();
  await page.getByText("Purpose: 2026 נובמבר").waitFor();
  await page.keyboard.press("Control+k");
  const box = page.getByRole("combobox");
  await box.fill("رواتب");
  await page.getByRole("option", { name }).waitFor();
  await box.fill(file);
  await page.getByRole("option", { name }).waitFor();
  expectQuiet();
  await close();
});

test("wraps a long name in place without widening the table, page or dialog", async () => {
  const maker = await app.visitor(["uploader", "operator"], { width: 390, height: 844 });
  const { page, open } = maker;
  const file = `${"a".repeat(196)}.csv`;
  const [code, name] = ["L".repeat(64), "N".repeat(100)];
  const twice = { name, account: "60100000009900", amount: "12.00" };
  const id = await upload(maker, { file, name: "", rows: [{ ...twice, code }, twice] });
  await page
    .getByText("This row has the same beneficiary, currency and amount as line 2.")
    .last()
    .waitFor();
  const pages = [`/batches/${id}/file`, `/batches/${id}`, `/payouts/${code}`];
  for (const path of ["/", "/batches", "/payouts", ...pages]) {
    await open(path);
    await expectNoHorizontalScroll(page, path);
    expect(await page.evaluate(WIDEST_CELL), path).toBeLessThan(450);
  }

  await open("/schedules");
  const called = "W".repeat(100);
  await page.getByRole("button", { name: "New schedule" }).click();
  await page.getByLabel("Name").fill(called);
  await page.getByRole("combobox", { name: /^Batch/ }).fill(id);
  await page.getByRole("option", { name: new RegExp(id) }).click();
  await page.getByRole("button", { name: "Save schedule" }).click();
  await page.getByRole("heading", { name: called }).waitFor();
  await expectNoHorizontalScroll(page, "a schedule with a long name");
  await page.getByRole("button", { name: `Pause ${called}` }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason").waitFor();
  await expectNoHorizontalScroll(page, "a dialog with a long title");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  const pause = page.getByRole("button", { name: `Pause ${called}` });
  await expect.poll(() => pause.and(page.locator(":focus")).count()).toBe(1);
  maker.expectQuiet();
  await maker.close();
});

test("pages through the wrong rows forward, back and to the first page", async () => {
  const maker = await app.visitor(["uploader"]);
  const { page } = maker;
  await upload(maker, {
    file: "wrong.csv",
    name: "",
    rows: rowsOf(60, () => ({ amount: "-1" })),
  });
  await page.getByText(/^All findings by kind/).click();
  await page.getByRole("button", { name: "Show rows" }).first().click();
  const first = page.getByRole("region", { name: "Rows", exact: true }).locator("[data-row] th");
  for (const [verb, line] of [
    ["Next", "12"],
    ["Next", "22"],
    ["Previous", "12"],
    ["Previous", "2"],
  ] as const) {
    await page.getByRole("button", { name: `${verb} rows` }).click();
    await expect.poll(() => first.first().textContent()).toBe(line);
  }
  expect(await page.getByRole("button", { name: "Previous rows" }).isDisabled()).toBe(true);

  const values = page.getByRole("textbox", { name: /^New value for / });
  for (const [verb, line] of [
    ["Next", 10],
    ["Previous", 2],
  ] as const) {
    await page.getByRole("button", { name: `${verb} values to correct` }).press("Enter");
    const label = new RegExp(` on line ${line}$`);
    await expect.poll(() => values.first().getAttribute("aria-label")).toMatch(label);
  }
  maker.expectQuiet();
  await maker.close();
});

test("says that a list cannot be shown, instead of loading forever", async () => {
  const { page, open, expectQuiet, close } = await app.visitor(["viewer"]);
  await page.route("**/api/batches", (asked) =>
    asked.fulfill({ status: 502, body: "bad gateway" }),
  );
  await open("/batches");
  await page.getByRole("alert").waitFor();
  expect(await page.locator("[data-loading-page]").count()).toBe(0);
  expectQuiet(/502/);
  await close();
});
