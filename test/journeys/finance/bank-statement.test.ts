/**
 * A day from its bank statement to its close: an operator uploads a camt.053 file that lacks a
 * payout, two people resolve the breaks, and the day closes with the balance of the bank.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { fillSettledDay, type SettledDay } from "../../../bench/settled-day.ts";
import { expectAccessible } from "../../support/dashboard/browser.ts";
import { openDashboard, type OpenDashboard } from "../../support/dashboard/open-dashboard.ts";
import { laneIn } from "../../support/ledger.ts";
import { camtOfDay } from "../../support/reconciliation/camt-of-day.ts";
import { SETTLED_DAY } from "../../support/reconciliation/statement-of-day.ts";
import { asTestOwner } from "../../support/servers/postgres.ts";

const OF: SettledDay = { ...SETTLED_DAY, lane: laneIn("INR") };
const { lane, day } = OF;
const PAGE = `/reconciliation/days/${day}?lane=${encodeURIComponent(lane)}`;
const BREAKS = ["Not in the statement", "Unexplained movement"];

let app: OpenDashboard;
beforeAll(async () => {
  app = await openDashboard();
  await fillSettledDay(asTestOwner(app.payrun.config.DATABASE_URL ?? ""), OF);
});
afterAll(() => app.close());

test("an operator uploads the bank statement, whose balances are in the file", async () => {
  const { page, open, expectQuiet } = await app.visitor(["operator"]);
  await open("/reconciliation/upload");
  await page.getByLabel(/^Lane/).selectOption(lane);
  await page.getByLabel(/^Business day/).fill(day);
  await page.locator("input[type=file]").setInputFiles({
    name: "statement.xml",
    mimeType: "application/xml",
    buffer: Buffer.from(camtOfDay({ rows: { missing: 1 } }, { of: OF })),
  });
  await page.getByRole("button", { name: "Compare" }).click();
  await page.getByText(/^\d+ lines, sum INR /).waitFor();
  await page.getByRole("button", { name: "Store mapping and compare" }).click();
  for (const name of BREAKS) await page.getByText(name).first().waitFor();
  expect(await page.getByText("The balance was not compared.").count()).toBe(0);
  await expectAccessible(page, "comparison");
  expectQuiet(/4\d\d/);
});

test("two people resolve each break", async () => {
  const operator = await app.visitor(["operator"]);
  const approver = await app.visitor(["approver"]);
  for (const name of BREAKS) {
    const { page } = operator;
    await operator.open("/reconciliation");
    await page.getByRole("link", { name }).click();
    await page.getByRole("heading", { level: 1, name }).waitFor();
    await page.getByRole("button", { name: "Assign to me" }).click();
    await page.getByRole("button", { name: "Remove assignment" }).waitFor();
    await page.getByLabel("Explanation").fill("The bank lists it on the next day");
    await page.getByRole("button", { name: "Propose resolution" }).click();
    await page.getByText("Another approver must confirm your proposal.").waitFor();
    await approver.open(new URL(page.url()).pathname);
    await approver.page.getByRole("button", { name: "Confirm" }).click();
    await approver.page.getByText("proposed this resolution").waitFor();
  }
  await operator.open("/reconciliation");
  await operator.page.getByRole("heading", { level: 1, name: "Reconciliation" }).waitFor();
  for (const name of BREAKS) {
    expect(await operator.page.getByRole("link", { name }).count()).toBe(0);
  }
  operator.expectQuiet();
  approver.expectQuiet();
});

test("the day closes with the balance of the bank and without open breaks", async () => {
  const { page, open, expectQuiet } = await app.visitor(["operator"]);
  // Also the next step of a comparison: the page of its day.
  await open(PAGE);
  await page.getByText("has no opening balance yet").waitFor();
  await page.getByRole("button", { name: "Set opening balance" }).click();
  // The statement has the day and its balance.
  await page.getByText(/^Opening balance: INR .* from the statement .*statement\.xml/).waitFor();
  expect(await page.getByLabel("First day").inputValue()).toBe("26 Nov 2026");
  expect(await page.getByLabel("Reason").count()).toBe(0);
  await page.getByRole("dialog").getByRole("button", { name: "Set opening balance" }).click();
  const confirmation = page.getByRole("dialog", { name: "Set the opening balance" });
  await confirmation.getByRole("button", { name: "Set opening balance" }).click();
  await page.getByRole("button", { name: "Close day" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Close day" }).click();
  await page.getByText("Closed and agreed").first().waitFor();
  expect(await page.getByText("Closed with breaks").count()).toBe(0);
  await expectAccessible(page, "closed day");
  expectQuiet(/404/);
});
