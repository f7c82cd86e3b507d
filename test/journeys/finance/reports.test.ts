/** The page Reports: charts, the tables behind them, downloads, and filters in the address. */
import { readFileSync } from "node:fs";
import type { Download } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectAccessible, expectNoHorizontalScroll } from "../../support/dashboard/browser.ts";
import { openDashboard, type OpenDashboard } from "../../support/dashboard/open-dashboard.ts";
import { addChartedCurrency, LAST_DAY, REPORTED, reportedLedger } from "../../support/reports.ts";

const PAGE = `/reports?from=${REPORTED}&to=${LAST_DAY}`;
let app: OpenDashboard;
beforeAll(async () => {
  app = await openDashboard();
  await reportedLedger(app.payrun.config.DATABASE_URL ?? "");
});
afterAll(() => app.close());

const rowsOf = async (file: Download): Promise<string[]> =>
  readFileSync(await file.path(), "utf8")
    .replace("\ufeff", "")
    .trimEnd()
    .split("\n");

test("shows only the summary of a few days, with its total, file and payouts", async () => {
  const visitor = await app.visitor(["viewer"]);
  const { page } = visitor;
  await visitor.open(PAGE);
  await page.getByText("· days in UTC").waitFor();
  const summary = page.getByRole("region", { name: "Summary by currency" }).first();
  // No digit is lost, although a floating-point number cannot hold this amount.
  await summary.getByRole("row", { name: /INR.*90,07,19,92,54,74,09,921\.30.*75\.00%/ }).waitFor();
  await summary.getByRole("row", { name: /VND.*5,500.*5,000/ }).waitFor();
  await summary.getByText("≤ 1 min").waitFor();
  await summary.getByText("≤ 16 h").waitFor();
  await summary.getByText("1 not reported").first().waitFor();
  // Counts can be added across currencies, amounts cannot.
  await summary.getByRole("row", { name: /^Total 5 1 83\.33%/ }).waitFor();
  await summary.getByText("Charts by day appear when").waitFor();
  await summary.getByText(/^Success rate: .* is listed under Failures\./).waitFor();
  expect(await page.getByRole("heading", { name: "Settled amount" }).count()).toBe(0);
  const breaks = page.getByRole("region", { name: "Unresolved breaks" });
  await breaks
    .getByRole("row", { name: /^Amount/ })
    .getByText("4")
    .waitFor();
  await expectAccessible(page, "reports");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    summary
      .getByRole("button", { name: "Export" })
      .click()
      .then(() => page.getByRole("menuitem", { name: "CSV" }).click()),
  ]);
  expect(await rowsOf(download)).toEqual([
    "from,to,zone,currency,settled,settled_amount,declined,declined_amount,returned,returned_amount,success_percent,fees,without_fee,median_seconds,p95_seconds",
    "2026-03-01,2026-03-04,UTC,INR,3,90071992547409921.30,1,7.00,0,0.00,75.00,1.625,1,60,57600",
    "2026-03-01,2026-03-04,UTC,VND,2,5500,0,0,1,5000,100.00,0,2,5,3600",
  ]);
  await summary.getByRole("link", { name: "INR" }).click();
  await page.getByRole("heading", { level: 1, name: "Payouts" }).waitFor();
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
    currency: "INR",
    settled_from: "2026-03-01T00:00:00.000Z",
    settled_to: "2026-03-05T00:00:00.000Z",
  });
  await visitor.open(PAGE);
  await page.setViewportSize({ width: 360, height: 740 });
  await summary.getByText("Total").waitFor();
  await expectNoHorizontalScroll(page, "reports at 360 px");
  visitor.expectQuiet();
});

test("draws charts for three days, filters by lane, and downloads what it shows", async () => {
  await addChartedCurrency(app.payrun.config.DATABASE_URL ?? "");
  const visitor = await app.visitor(["viewer"]);
  const { page } = visitor;
  await visitor.open(PAGE);
  const amounts = page.getByRole("region", { name: "Settled amount" });
  await amounts
    .getByText(/^THB: 270,215,977,642,229,763\.00 settled/)
    .first()
    .waitFor();
  await amounts.getByText("No chart for INR, VND: figures for fewer than 3 days.").waitFor();
  expect(await amounts.locator("canvas").count()).toBe(1);
  await amounts.getByText("Show figures as a table").first().click();
  await amounts.getByRole("cell", { name: "90,071,992,547,409,921.00" }).first().waitFor();
  const times = page.getByRole("region", { name: "Time from approval to settlement" });
  await times
    .getByText(/^THB: median ≤ .*, 95% ≤ /)
    .first()
    .waitFor();
  await expectAccessible(page, "reports with charts");
  await page.setViewportSize({ width: 360, height: 740 });
  await amounts.locator("canvas").waitFor();
  await times
    .getByText(/^THB: median/)
    .first()
    .waitFor({ state: "hidden" });
  await times.getByText("Time from approval to settlement").click();
  await times.locator("canvas").waitFor();
  expect((await times.locator("canvas").boundingBox())?.width).toBeGreaterThan(200);
  await expectNoHorizontalScroll(page, "reports with charts at 360 px");
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole("button", { name: "Lane", exact: true }).click();
  await page.getByRole("combobox", { name: "Lane" }).selectOption("M1/THB");
  await page.getByText("Charts by day").waitFor({ state: "hidden" });
  expect(page.url()).toContain("lane=M1");
  const fees = page.getByRole("region", { name: "Fees" });
  await fees.getByRole("button", { name: "Export" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "CSV" }).click(),
  ]);
  expect(await rowsOf(download)).toEqual([
    "day,zone,currency,amount,payouts,without_fee",
    "2026-03-01,UTC,THB,1.50,1,0",
    "2026-03-02,UTC,THB,1.50,1,0",
    "2026-03-03,UTC,THB,1.50,1,0",
  ]);
  visitor.expectQuiet();
});

test("shows a period in the zone of the lane", async () => {
  const visitor = await app.visitor(["viewer"]);
  const { page } = visitor;
  await visitor.open(`${PAGE}&lane=M1%2FINR`);
  await page.getByText("days in Asia/Kolkata").waitFor();
  await page.getByRole("button", { name: /^Period/ }).click();
  await page.getByLabel("Last 7 days").click();
  await page.getByText("No payouts settled, were declined or were returned").first().waitFor();
  await page.getByLabel("Last month").click();
  await page.getByText(/^1 .* · days in Asia\/Kolkata$/).waitFor();
  expect(new URL(page.url()).searchParams.get("period")).toBe("last_month");
  await page.getByLabel("From", { exact: true }).fill(REPORTED);
  await page.getByLabel("To", { exact: true }).fill(LAST_DAY);
  await page.getByRole("button", { name: "Apply" }).click();
  await page.getByRole("cell", { name: "1.625" }).first().waitFor();
  expect(new URL(page.url()).searchParams.get("period")).toBeNull();
  visitor.expectQuiet();
});

test("is in the navigation, and opens with g e", async () => {
  const visitor = await app.visitor(["viewer"]);
  const { page } = visitor;
  await visitor.open("/");
  const main = page.getByRole("navigation", { name: "Main" });
  await main.getByRole("link", { name: "Reports", exact: true }).waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("e");
  await page.getByRole("heading", { level: 1, name: "Reports" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/reports");
  visitor.expectQuiet();
});
