/** The page Reports: charts, the tables behind them, downloads, and filters in the address. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectAccessible, expectNoHorizontalScroll } from "../../support/dashboard/browser.ts";
import { openDashboard, type OpenDashboard } from "../../support/dashboard/open-dashboard.ts";
import { LAST_DAY, REPORTED, reportedLedger } from "../../support/reports.ts";

const PAGE = `/reports?from=${REPORTED}&to=${LAST_DAY}`;
let app: OpenDashboard;
beforeAll(async () => {
  app = await openDashboard();
  await reportedLedger(app.payrun.config.DATABASE_URL ?? "");
});
afterAll(() => app.close());

test("shows each currency exactly, in a chart and in the table behind it", async () => {
  const visitor = await app.visitor(["viewer"]);
  const { page } = visitor;
  await visitor.open(PAGE);
  await page.getByText("· days in UTC").waitFor();
  const amounts = page.getByRole("region", { name: "Settled amount" });
  await amounts.getByText("VND: 5,500 settled, 5,000 returned").first().waitFor();
  // A chart of one day would be a single bar.
  expect(await amounts.locator("canvas").count()).toBe(1);
  const summary = page.getByRole("region", { name: "Summary by currency" }).last();
  await summary.getByRole("row", { name: /INR.*75\.00%/ }).waitFor();
  await amounts.getByText("Show figures as a table").first().click();
  await amounts.getByRole("cell", { name: "5,500" }).waitFor();
  // No digit is lost, although a floating-point number cannot hold this amount.
  await amounts.getByText("INR: 90,07,19,92,54,74,09,921.30 settled").waitFor();
  const rates = page.getByRole("region", { name: "Success rate" });
  await rates.getByText("INR: 75.00% (3 settled, 1 declined)").first().waitFor();
  const fees = page.getByRole("region", { name: "Fees" });
  await fees.getByText("INR: 1.625 (1 settled payout has no reported fee)").first().waitFor();
  const times = page.getByRole("region", { name: "Time from approval to settlement" });
  await times.getByText("INR: median at most 1 min, 95% at most 16 h").first().waitFor();
  const breaks = page.getByRole("region", { name: "Unresolved breaks" });
  await breaks
    .getByRole("row", { name: /different amount/ })
    .getByText("4")
    .waitFor();
  await expectAccessible(page, "reports");
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoHorizontalScroll(page, "reports at 360 px");
  visitor.expectQuiet();
});

test("filters by lane in the zone of the lane, and downloads what it shows", async () => {
  const visitor = await app.visitor(["viewer"]);
  const { page } = visitor;
  await visitor.open(PAGE);
  await page.getByRole("button", { name: "Lane", exact: true }).click();
  await page.getByRole("combobox", { name: "Lane" }).selectOption("M1/INR");
  await page.getByText("days in Asia/Kolkata").waitFor();
  expect(page.url()).toContain("lane=M1");
  const fees = page.getByRole("region", { name: "Fees" });
  await fees.getByRole("button", { name: "Export" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "CSV" }).click(),
  ]);
  const text = readFileSync(await download.path(), "utf8");
  expect(text.replace("\ufeff", "").trimEnd().split("\n")).toEqual([
    "day,zone,currency,amount,payouts,without_fee",
    "2026-03-01,Asia/Kolkata,INR,1.50,1,1",
    "2026-03-02,Asia/Kolkata,INR,0.125,1,0",
  ]);
  await page.getByRole("button", { name: /^Period/ }).click();
  await page.getByLabel("Last 7 days").click();
  await page.getByText("No payouts settled, were declined or were returned").first().waitFor();
  await page.getByLabel("Last month").click();
  await page.getByText(/^1 .* · days in Asia\/Kolkata$/).waitFor();
  expect(new URL(page.url()).searchParams.get("period")).toBe("last_month");
  await page.getByLabel("From", { exact: true }).fill(REPORTED);
  await page.getByLabel("To", { exact: true }).fill(LAST_DAY);
  await page.getByRole("button", { name: "Apply" }).click();
  await page.getByRole("region", { name: "Fees" }).getByText("INR: 1.625").first().waitFor();
  expect(new URL(page.url()).searchParams.get("period")).toBeNull();
  visitor.expectQuiet();
});

test("is in the navigation, and opens with g e", async () => {
  const visitor = await app.visitor(["viewer"]);
  const { page } = visitor;
  await visitor.open("/");
  await page.getByRole("link", { name: "Reports", exact: true }).waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("e");
  await page.getByRole("heading", { level: 1, name: "Reports" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/reports");
  visitor.expectQuiet();
});
