/**
 * Reconciliation: the statement of the simulated gateway is compared with the ledger, and two
 * people resolve the difference on the dashboard.
 */
import type { Page } from "playwright-core";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { applyBreakAction, previewBreakAction } from "#flows/reconciliation/break-actions.ts";
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
  // The missing payout also moves the balance, so the two sums are shown separately.
  await page.getByText("Differences of payouts:").waitFor();
  await page.getByText("Movements of the balance, which may include them:").waitFor();
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
  await page.getByRole("definition").filter({ hasText: "Not listed" }).waitFor();
  await page
    .getByRole("definition")
    .filter({ hasText: /^−INR / })
    .waitFor();
  await page.getByRole("button", { name: "Assign to me" }).click();
  await page.getByRole("button", { name: "Remove assignment" }).waitFor();
  await page.getByLabel("Explanation").fill("On the statement of the next day");
  await page.getByRole("button", { name: "Propose resolution" }).click();
  await page.getByText("Another approver must confirm your proposal.").waitFor();
  await expectAccessible(page, "break");
  // Only users with a password can be mentioned.
  await sql`update users set password = 'x'`.execute(app.payrun.database);
  // Typing "@" suggests the people who can be mentioned.
  const comment = page.getByLabel("Comment", { exact: true });
  await comment.pressSequentially("Please check @");
  await page.locator('[role="option"][data-combobox-selected]').waitFor();
  await page.keyboard.press("Enter");
  expect(await comment.inputValue()).toMatch(/^Please check @\S.* $/);
  // Without suggestions, Enter starts a new line.
  await page.keyboard.press("Enter");
  await page.keyboard.type("x");
  expect(await comment.inputValue()).toMatch(/\nx$/);
  await comment.fill("");

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
  // The list behind the dialog names the action too, once it has been read again.
  const dialog = page.getByRole("dialog");
  await dialog.getByText(/^\d+ breaks? assigned$/).waitFor();
  await closeDialog(page);
  await page.getByLabel("Select all shown rows").check();
  await page.getByRole("button", { name: "Propose resolution" }).click();
  await page.getByLabel("Explanation").fill("The gateway rounds up; agreed with its support");
  await page.getByRole("button", { name: /^Propose for \d+ breaks?$/ }).click();
  await dialog.getByText(/^Resolution proposed for \d+ breaks?$/).waitFor();
  await closeDialog(page);

  const late = await previewOfAll();
  await approver.open("/reconciliation");
  await expectNoHorizontalScroll(approver.page, "breaks");
  await approver.page.getByRole("button", { name: "Select", exact: true }).click();
  const boxes = approver.page.getByRole("checkbox", { name: /^Select (?:FINE|Break)/ });
  await boxes.first().waitFor();
  for (const box of await boxes.all()) await box.check();
  await approver.page.getByRole("button", { name: "Confirm proposals" }).click();
  await approver.page.getByText("The gateway rounds up; agreed with its support").waitFor();
  await approver.page.getByRole("button", { name: /^Confirm \d+ breaks?$/ }).click();
  await approver.page
    .getByRole("dialog")
    .getByText(/^\d+ breaks? resolved$/)
    .waitFor();
  await closeDialog(approver.page);
  await approver.page.getByText("There are no unresolved breaks.").waitFor();
  expect(await approver.page.getByRole("checkbox").count()).toBe(0);

  await approver.page.getByRole("link", { name: /^\d+ breaks? resolved$/ }).click();
  await approver.page.getByRole("heading", { level: 1, name: /^\d+ breaks? resolved$/ }).waitFor();
  await approver.page.getByText("Every previewed break was changed.").waitFor();
  await approver.page.getByText("The gateway rounds up; agreed with its support").waitFor();
  await approver.page.getByText("The action changed the break.").first().waitFor();
  await expectNoHorizontalScroll(approver.page, "applied action");
  await expectAccessible(approver.page, "applied action");
  operator.expectQuiet();
  approver.expectQuiet();
  await showsLeftBreaks(late);
});

const deps = () => ({ ledger: app.payrun.ledger, clock: systemClock });

/** Previews an assignment of all unresolved breaks on the command line, and returns its ID. */
async function previewOfAll(): Promise<string> {
  const order = { action: "assign", chosen: {}, actor: "cli:asha" } as const;
  const preview = await previewBreakAction(order, deps());
  if (!preview.ok) throw new Error(preview.error);
  return preview.value.id;
}

/** An auditor sees in the audit log why an action left breaks that had been resolved meanwhile. */
async function showsLeftBreaks(id: string): Promise<void> {
  const order = { id, actions: ["assign"], actor: "cli:asha", assignee: null } as const;
  const applied = await applyBreakAction({ ...order, explanation: "" }, deps());
  expect(applied).toMatchObject({ ok: true, value: { changed: 0 } });
  const { page, open, expectQuiet } = await app.visitor(["auditor"]);
  await open("/audit?action=apply_break_action");
  await page.getByRole("link", { name: id }).click();
  await page.getByRole("heading", { level: 1, name: "0 breaks assigned" }).waitFor();
  await page.getByText(/^Changed after the preview, so left: \d+ breaks?$/).waitFor();
  await page.getByText(/^\d+ breaks? already resolved or closed$/).waitFor();
  await page.getByText("The break is already resolved or closed.").first().waitFor();
  await page.getByText("Nobody (assignment removed)").waitFor();
  await expectAccessible(page, "action that left breaks");
  await open("/reconciliation/actions/BA0");
  await page.getByText("There is no action on breaks at this address.").waitFor();
  expectQuiet(/404/);
}

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
  await page.getByText(/^3 lines, sum INR /).waitFor();
  // The mapping replaces the form, so that there is one primary button.
  expect(await page.getByRole("button", { name: "Compare", exact: true }).count()).toBe(0);
  const fee = page.getByLabel("Meaning of Fee");
  await fee.selectOption("Not read");
  const status = page.getByLabel("Meaning of Status");
  await status.selectOption("Not read");
  await page.getByText("Choose a column for: Result.").waitFor();
  await status.selectOption("Result");
  await page.getByText(/^3 lines, sum INR /).waitFor();
  await expectAccessible(page, "mapping");
  const words = page.getByLabel("Words for results");
  await words.fill("failed=completed");
  await page.getByRole("button", { name: "Store mapping and compare" }).click();
  await page.getByRole("alert").waitFor();
  // The page scrolls to the refusal, which is above the form.
  const refusal = await page.getByRole("alert").boundingBox();
  expect(refusal?.y).toBeGreaterThanOrEqual(0);
  expect(refusal?.y).toBeLessThan((await words.boundingBox())?.y ?? 0);
  expect(await words.inputValue()).toBe("failed=completed");
  expect(await fee.inputValue()).toBe("");
  expectQuiet(/4\d\d/);
});
