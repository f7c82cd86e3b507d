/** The payouts of one batch and the batches awaiting approval, as lists. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";

import { expectAccessible, expectNoHorizontalScroll } from "../../support/dashboard/browser.ts";
import { openDashboard, type OpenDashboard } from "../../support/dashboard/open-dashboard.ts";
import { ingestFile, sendForApproval } from "../../support/ledger.ts";
import { fileText, rowsOf } from "../../support/servers/payrun.ts";

const NAMES = ["Arun Kumar", "Kavita Joshi", "박지훈"];
const ROWS = 150;
const accountOf = (index: number): string => `${50_190_000_000_000 + index}`;

let app: OpenDashboard;
let id: string;
beforeAll(async () => {
  app = await openDashboard({ settleMs: 600_000 });
  ({ id } = await app.batch(
    rowsOf(ROWS, (index) => ({
      name: NAMES[index % NAMES.length] ?? "",
      amount: `${100 + index}.50`,
      account: accountOf(index),
      code: `ROW-${index}`,
    })),
  ));
});
afterAll(() => app.close());

test("filters, sorts, selects and exports the payouts of a batch", async () => {
  const { page, open, expectQuiet } = await app.visitor(["operator"]);
  await open(`/batches/${id}`);
  const payouts = page.getByRole("table", { name: "Payouts in this batch" });
  await page.getByRole("status").getByText(`${ROWS} payouts`).waitFor();
  await payouts.getByRole("columnheader", { name: "Amount" }).getByRole("button").click();
  await page.waitForURL(/sort=largest/);
  await payouts.getByRole("row").nth(1).getByText("INR 249.50").waitFor();

  const text = page.getByRole("searchbox", { name: "Name, amount, code or number" });
  await text.fill("kavita");
  await text.press("Enter");
  await page.getByRole("status").getByText("50 payouts").waitFor();
  await page.getByLabel("Select ROW-148", { exact: true }).check();
  const bar = page.getByRole("region", { name: "Selected rows" });
  await bar.getByText("INR 248.50").waitFor();
  await page.keyboard.press("Home");
  await expectAccessible(page, "the payouts of a batch");

  // The menu loads when it is opened, also by the keyboard, and gives the focus back.
  const exporter = page.getByRole("button", { name: "Export" });
  await exporter.press("Enter");
  await page.getByRole("menuitem", { name: "CSV" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => page.locator(":focus").innerText()).toContain("CSV");
  await page.keyboard.press("Escape");
  await exporter.and(page.locator(":focus")).waitFor();
  await exporter.click();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "CSV" }).click(),
  ]);
  const lines = readFileSync(await file.path(), "utf8")
    .trim()
    .split("\n");
  expect(lines).toHaveLength(1 + ROWS / NAMES.length);
  expect(lines[1]).toContain("ROW-148,");
  expectQuiet();
});

test("offers the actions for a payout on a phone as on a large screen", async () => {
  for (const width of [1440, 360]) {
    const { page, open, expectQuiet } = await app.visitor(["operator"], { width, height: 800 });
    await open("/payouts?code=ROW-7&sort=oldest");
    await page.getByRole("button", { name: "Actions for ROW-7", exact: true }).click();
    await page.getByRole("menuitem", { name: "Open evidence" }).waitFor();
    // It has not been sent, so the gateway has no status.
    expect(await page.getByRole("menuitem", { name: "Query status" }).count()).toBe(0);
    await page.getByRole("menuitem", { name: "Assign to me" }).click();
    await page.getByText("1 payout needs no attention.").waitFor();
    expectQuiet(/409|400/);
  }
  const phone = await app.visitor(["viewer"], { width: 360, height: 800 });
  await phone.open(`/batches/${id}`);
  await phone.page.getByText("INR 100.50").first().waitFor();
  await expectNoHorizontalScroll(phone.page, "the payouts of a batch as cards");
  phone.expectQuiet();
});

test("filters the batches awaiting approval, and saves the filters as a view", async () => {
  const { page, open, expectQuiet } = await app.visitor(["approver"]);
  await open("/approvals");
  await page.getByRole("status").getByText("1 batch", { exact: true }).waitFor();
  await page.getByRole("link", { name: "Awaiting your approval 1" }).waitFor();
  await page.getByRole("cell", { name: /need attention|needs attention/ }).waitFor();
  await page.getByRole("link", { name: "Review", exact: true }).waitFor();
  await page.getByRole("searchbox", { name: "Name, purpose, file or batch ID" }).fill("nothing");
  await page.keyboard.press("Enter");
  await page.getByText("No batches match these filters.").waitFor();
  await page.getByText("Save a view").click();
  await page.getByLabel("View name").fill("Nothing");
  await page.getByRole("button", { name: "Save view" }).click();
  // The views are a part of the list, above its filters.
  const list = page.getByRole("navigation", { name: "Views" }).locator("..");
  await list.locator(":scope > div > search").waitFor();
  await page.getByRole("button", { name: "Clear 1 filter" }).click();
  await page.getByRole("status").getByText("1 batch", { exact: true }).waitFor();
  await page.getByRole("link", { name: "Nothing" }).click();
  await page.getByText("No batches match these filters.").waitFor();
  expect(new URL(page.url()).searchParams.get("text")).toBe("nothing");
  await expectAccessible(page, "the batches awaiting approval");
  expectQuiet();
});

test("shows an approver the payouts that changed, and the largest first", async () => {
  const { ledger, database } = app.payrun;
  const { userId } = await app.visitor(["uploader"]);
  const uploaded = async (raise: number): Promise<string> => {
    const rows = rowsOf(20, (index) => ({
      amount: `${(index === 3 ? raise : 0) + 100 + index}.50`,
      account: `${50_180_000_000_000 + index}`,
    }));
    const { batch } = await ingestFile(ledger, fileText(rows), `user:${userId}`);
    await sendForApproval(database, batch);
    return batch.id;
  };
  await uploaded(0);
  const later = await uploaded(800);
  const { page, open, expectQuiet } = await app.visitor(["approver"]);
  await open(`/batches/${later}/approval`);
  const rows = page.getByRole("table", { name: "Payouts in review order" });
  await page.getByRole("button", { name: /^Changed since the previous batch/ }).click();
  await expect.poll(() => rows.getByRole("row").count()).toBe(2);
  await rows.getByText("INR 903.50").waitFor();
  await page.getByRole("button", { name: /^All/ }).click();
  await page.getByText("Largest first").click();
  await rows.getByRole("row").nth(2).getByText("INR 119.50").waitFor();
  expectQuiet();
});
