/**
 * Reconciliation: the statement of the simulated gateway is compared with the ledger, and two
 * people resolve the difference on the dashboard.
 */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { compareDay } from "#flows/reconciliation/compare-day.ts";
import { openDays } from "#flows/reconciliation/open-days.ts";
import { loadStatement } from "#flows/reconciliation/load-statement.ts";
import { laneParts } from "#payout/payout.ts";
import { expectAccessible, expectNoHorizontalScroll } from "../../support/dashboard/browser.ts";
import { openDashboard, type OpenDashboard } from "../../support/dashboard/open-dashboard.ts";
import { laneIn } from "../../support/ledger.ts";
import { uploadOf } from "../../support/reconciliation/statement-of-day.ts";
import { eventually } from "../../support/servers/eventually.ts";

const LANE = laneIn("INR");
let app: OpenDashboard;
beforeAll(async () => {
  app = await openDashboard();
  await app.batch([{ code: "FINE1" }, { code: "FINE2" }, { code: "FINE3" }], "approved");
  await eventually("all payouts are settled", async () => {
    const codes = ["FINE1", "FINE2", "FINE3"];
    const known = await Promise.all(
      codes.map((code) => app.payrun.ledger.payout.findStatusQuery(code)),
    );
    return known.every((each) => each?.state === "settled");
  });
});
afterAll(() => app.close());

/** Minor units of a decimal with at most two digits. */
function minor(text: string): bigint {
  const [whole = "0", cents = ""] = text.split(".");
  return BigInt(whole + cents.padEnd(2, "0"));
}

/** Gets a part of the statement of today from the simulated gateway, with these defects. */
async function get(part: string, defects: string): Promise<string> {
  const { merchantCode: merchant, currency } = laneParts(LANE);
  const asked = new URLSearchParams({ merchant: merchant ?? "", currency, day: today(), defects });
  return (await fetch(`${app.gateway.url}/${part}?${asked.toString()}`)).text();
}

const today = () => new Date().toISOString().slice(0, 10);

/** Loads the statement of today, with these defects. */
async function load(defects: string) {
  const csv = await get("statement", defects);
  const { opening, closing, deposits } = JSON.parse(await get("statement-balances", defects));
  const deps = { ledger: app.payrun.ledger, clock: systemClock };
  const balances = {
    opening: minor(opening),
    closing: minor(closing),
    deposits: minor(deposits),
  };
  const upload = uploadOf(csv, { lane: LANE, day: today(), changes: { zone: "UTC" }, balances });
  const loaded = await loadStatement(upload, deps);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  return { ...loaded.value, compare: () => compareDay(loaded.value.statement, "cli:asha", deps) };
}

test("agrees with the statement and the balance of the gateway", async () => {
  const { compare } = await load("");
  expect(await compare()).toMatchObject({
    value: { payouts: 3, lines: 3, matched: 3, breaks: {}, hasBalances: true },
  });
});

test("shows a replacement, which an approver confirms, and a difference, which two people resolve", async () => {
  expect((await load("missing")).statement.state).toBe("proposed");
  const operator = await app.visitor(["operator"]);
  const approver = await app.visitor(["approver"], { width: 360, height: 740 });
  const { page } = operator;
  await operator.open("/reconciliation");
  await page.getByText(/^An approver must confirm this file: .*approver/).waitFor();
  await expectAccessible(page, "replacement");
  // The day says that its statement may be replaced, and by whose decision.
  const opening = { lane: LANE, day: today(), zone: "UTC", actor: "cli:asha" };
  const entered = { amount: { minor: 100n, minorDigits: 2 }, reason: "bank" };
  const { ledger } = app.payrun;
  const opened = await openDays({ ...opening, entered }, { ledger, clock: systemClock });
  expect(opened.ok).toBe(true);
  await operator.open(`/reconciliation/days/${today()}?lane=${encodeURIComponent(LANE)}`);
  await page.getByText("Until an approver confirms that file, the earlier statement").waitFor();
  await page.getByText(/^An approver must confirm this file: .*approver/).waitFor();
  await expectAccessible(page, "day with a replacement");
  await page.getByRole("link", { name: "Open the file that waits" }).click();
  await page.getByRole("heading", { level: 1, name: "Reconciliation" }).waitFor();
  await approver.open("/reconciliation");
  await expectNoHorizontalScroll(approver.page, "replacement");
  await approver.page.getByRole("button", { name: "Confirm" }).click();
  await approver.page.getByRole("link", { name: "Not in the statement" }).waitFor();

  await operator.open("/reconciliation");
  await page.getByText("Sum of absolute differences:").waitFor();
  await page
    .getByText(/^−INR /)
    .first()
    .waitFor();
  await page.getByRole("link", { name: "Not in the statement" }).click();
  await page.getByRole("heading", { level: 1, name: "Not in the statement" }).waitFor();
  await page.getByText("Next: Look for the payout on the statement of the next day.").waitFor();
  for (const fact of ["Beneficiary", "Batch", "Settled at"]) {
    await page.getByText(fact, { exact: true }).waitFor();
  }
  await page.getByRole("button", { name: "Assign to me" }).click();
  await page.getByRole("button", { name: "Remove assignment" }).waitFor();
  await page.getByLabel("Explanation").fill("On the statement of the next day");
  await page.getByRole("button", { name: "Propose resolution" }).click();
  await page.getByText("Another approver must confirm your proposal.").waitFor();
  await expectAccessible(page, "break");

  await approver.open(new URL(page.url()).pathname);
  await expectNoHorizontalScroll(approver.page, "break");
  await approver.page.getByRole("button", { name: "Confirm" }).click();
  await approver.page.getByText("proposed this resolution").waitFor();
  operator.expectQuiet();
  approver.expectQuiet();
});

test("assigns several breaks at once, and two people resolve them together", async () => {
  const { statement, compare } = await load("plus_one:1,wrong_fee:1");
  if (statement.state === "proposed") await confirmStatement();
  else await compare();
  const operator = await app.visitor(["operator"]);
  const approver = await app.visitor(["approver"], { width: 360, height: 740 });
  const { page } = operator;
  await operator.open("/reconciliation");
  await page.getByRole("link", { name: "Amount", exact: true }).waitFor();
  await page.getByLabel("Select all shown rows").check();
  await page.getByRole("button", { name: "Assign", exact: true }).click();
  await expectAccessible(page, "preview of breaks");
  await page.getByRole("button", { name: /^Assign \d+ breaks?$/ }).click();
  await page.getByText(/^\d+ breaks? assigned$/).waitFor();
  await closeDialog(page);
  await page.getByLabel("Select all shown rows").check();
  await page.getByRole("button", { name: "Propose resolution" }).click();
  await page.getByLabel("Explanation").fill("The gateway rounds up; agreed with its support");
  await page.getByRole("button", { name: /^Propose for \d+ breaks?$/ }).click();
  await page.getByText(/^Resolution proposed for \d+ breaks?$/).waitFor();
  await closeDialog(page);

  await approver.open("/reconciliation");
  await expectNoHorizontalScroll(approver.page, "breaks");
  for (const box of await approver.page
    .getByRole("checkbox", { name: /^Select (?:FINE|Break)/ })
    .all()) {
    await box.check();
  }
  await approver.page.getByRole("button", { name: "Confirm proposals" }).click();
  await approver.page.getByText("The gateway rounds up; agreed with its support").waitFor();
  await approver.page.getByRole("button", { name: /^Confirm \d+ breaks?$/ }).click();
  await approver.page.getByText(/^\d+ breaks? resolved$/).waitFor();
  await closeDialog(approver.page);
  await approver.page.getByText("There are no unresolved breaks.").waitFor();
  expect(await approver.page.getByRole("checkbox").count()).toBe(0);
  operator.expectQuiet();
  approver.expectQuiet();
});

/** Closes the result of an action. The selection is cleared with it. */
async function closeDialog(page: Page): Promise<void> {
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
  await page.getByRole("dialog").waitFor({ state: "hidden" });
}

/** Confirms the statement that replaces an earlier one, as an approver does. */
async function confirmStatement(): Promise<void> {
  const { open, page } = await app.visitor(["approver"]);
  await open("/reconciliation");
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.getByText(/^An approver must confirm this file/).waitFor({ state: "hidden" });
}

test("keeps the edits of a mapping that the server refuses", async () => {
  const { page, open, expectQuiet } = await app.visitor(["operator"]);
  await open("/reconciliation/upload");
  await page.getByLabel(/^Lane/).selectOption(LANE);
  await page.getByLabel(/^Business day/).fill(today());
  await page.locator("input[type=file]").setInputFiles({
    name: "statement.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(await get("statement", "")),
  });
  await page.getByText("Balances, control totals and columns (optional)").click();
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Compare" }).click();
  const zone = page.getByLabel("Time zone of the business day");
  await zone.fill("Asia/Nowhere");
  await page.getByRole("button", { name: "Store mapping and compare" }).click();
  await page.getByRole("alert").waitFor();
  expect(await zone.inputValue()).toBe("Asia/Nowhere");
  expectQuiet(/4\d\d/);
});
