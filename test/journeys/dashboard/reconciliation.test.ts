/**
 * Reconciliation: the statement of the simulated gateway is compared with the ledger, and two
 * people resolve the difference on the dashboard.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { compareDay } from "#flows/reconciliation/compare-day.ts";
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

/** Loads the statement of today, with these defects. */
async function load(defects: string) {
  const day = new Date().toISOString().slice(0, 10);
  const { merchantCode: merchant, currency } = laneParts(LANE);
  const asked = new URLSearchParams({ merchant: merchant ?? "", currency, day, defects });
  const get = async (part: string) =>
    (await fetch(`${app.gateway.url}/${part}?${asked.toString()}`)).text();
  const csv = await get("statement");
  const { opening, closing, deposits } = JSON.parse(await get("statement-balances"));
  const deps = { ledger: app.payrun.ledger, clock: systemClock };
  const balances = {
    opening: minor(opening),
    closing: minor(closing),
    deposits: minor(deposits),
  };
  const upload = uploadOf(csv, { lane: LANE, day, changes: { zone: "UTC" }, balances });
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
  await page.getByText("An approver must confirm this file.").waitFor();
  await expectAccessible(page, "replacement");
  await approver.open("/reconciliation");
  await expectNoHorizontalScroll(approver.page, "replacement");
  await approver.page.getByRole("button", { name: "Confirm" }).click();
  await approver.page.getByRole("link", { name: "Not in the statement" }).waitFor();

  await operator.open("/reconciliation");
  await page.getByRole("link", { name: "Not in the statement" }).click();
  await page.getByRole("heading", { level: 1, name: "Not in the statement" }).waitFor();
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
