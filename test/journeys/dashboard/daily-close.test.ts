/**
 * The daily close: an operator enters the opening balance and closes a day, a payout that comes
 * back reopens it, and two people explain a difference with an adjustment.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "kysely";
import { expectAccessible, expectNoHorizontalScroll } from "../../support/dashboard/browser.ts";
import { openDashboard, type OpenDashboard } from "../../support/dashboard/open-dashboard.ts";
import { movePayout } from "../../support/reconciliation/day-ledger.ts";
import { SETTLED_DAY, settledDayWith } from "../../support/reconciliation/statement-of-day.ts";

const { lane, day } = SETTLED_DAY;
const CALENDAR = `/reconciliation/days?month=${day.slice(0, 7)}`;
const PAGE = `/reconciliation/days/${day}?lane=${encodeURIComponent(lane)}`;
let app: OpenDashboard;
beforeAll(async () => {
  app = await openDashboard();
  await settledDayWith(app.payrun.config.DATABASE_URL ?? "", {});
});
afterAll(() => app.close());

test("an operator closes a day, and sees that its balance was not observed", async () => {
  const operator = await app.visitor(["operator"]);
  const { page } = operator;
  await operator.open(CALENDAR);
  const state = page.getByText("Not started", { exact: true });
  await state.waitFor();
  // Text is at the height of the button in its row.
  const middleOf = async (found: typeof state): Promise<number> => {
    const box = await found.boundingBox();
    return box ? box.y + box.height / 2 : Number.NaN;
  };
  const button = page.getByRole("button", { name: "Set opening balance" });
  expect(Math.abs((await middleOf(state)) - (await middleOf(button)))).toBeLessThan(2);
  await page.getByRole("button", { name: "Set opening balance" }).click();
  await page.getByLabel("First day").fill(day);
  await page.getByRole("textbox", { name: /^Opening balance/ }).fill("10000.00");
  await page.getByLabel("Reason").fill("Statement of the bank");
  await page.getByRole("dialog").getByRole("button", { name: "Set opening balance" }).click();
  const confirmation = page.getByRole("dialog", { name: "Set the opening balance" });
  await confirmation.getByText("You cannot change the balance or the first day later").waitFor();
  await confirmation.getByRole("button", { name: "Set opening balance" }).click();
  // The next step is on the page: the day, without a statement, can be closed.
  await page.getByRole("heading", { name: /^Next day to close/ }).waitFor();
  await page.getByText("Not uploaded").waitFor();
  // The primary button is the next step; the day can also be closed before it.
  const close = page.getByRole("button", { name: "Close day without a statement" });
  expect(await close.getAttribute("data-variant")).toBe("default");
  const upload = page.getByRole("link", { name: "Upload statement" });
  expect(await upload.getAttribute("data-variant")).toBeNull();
  await page.getByText("Without a statement, its balance is not observed.").waitFor();
  await page.getByRole("link", { name: "View figures" }).first().click();
  await page.getByText("Preview: the figures if you close the day now").waitFor();
  // Movements without a record share one line.
  await page.getByText(/Settled deposits, .*adjustments/).waitFor();
  await close.click();
  const question = page.getByRole("dialog", { name: /^Close / });
  await question.getByText("Opening balance").waitFor();
  await question.getByText("Unresolved breaks").waitFor();
  await expectAccessible(page, "the confirmation of a close");
  await question.getByRole("button", { name: "Go back" }).click();
  expect(await page.getByText("Closed, balance not observed").count()).toBe(0);
  await close.click();
  await question.getByRole("button", { name: "Close day without a statement" }).click();
  await page.getByText("Closed, balance not observed").first().waitFor();
  expect(await page.getByText("Closed and agreed").count()).toBe(0);
  await page
    .getByText(/^Closed by /)
    .first()
    .waitFor();
  await expectAccessible(page, "day");
  await page.getByRole("link", { name: "Settled payouts" }).click();
  await page.getByRole("heading", { level: 1, name: "Payouts" }).waitFor();
  await operator.open(CALENDAR);
  await page.getByText("Closed, balance not observed").waitFor();
  await expectAccessible(page, "calendar");
  operator.expectQuiet();
});

test("a return reopens the day, and two people agree on an adjustment", async () => {
  const { database } = app.payrun;
  const { rows } = await sql<{ id: number }>`
    select id from payouts where lane = ${lane} order by id limit 1`.execute(database);
  const at = "2026-11-27T08:00:00Z";
  await movePayout(database, { id: rows[0]?.id ?? 0, event: "return", at });
  const operator = await app.visitor(["operator"]);
  const approver = await app.visitor(["approver"], { width: 360, height: 740 });
  await operator.open(PAGE);
  await operator.page.getByText("was returned").waitFor();
  await operator.page.getByText("Propose an adjustment").click();
  await operator.page.getByLabel("Amount").fill("-5.00");
  await operator.page.getByLabel("Reason", { exact: true }).fill("Monthly fee of the bank");
  await operator.page.getByRole("button", { name: "Propose adjustment" }).click();
  await operator.page.getByText("Another approver must confirm your proposal.").waitFor();

  await approver.open(PAGE);
  await expectNoHorizontalScroll(approver.page, "day");
  await approver.page.getByRole("button", { name: "Confirm" }).click();
  await approver.page.getByText(/confirmed$/).waitFor();

  await operator.open(PAGE);
  await operator.page.getByRole("button", { name: "Close day without a statement" }).click();
  await operator.page
    .getByRole("dialog")
    .getByRole("button", { name: /^Close day/ })
    .click();
  await operator.page.getByText("Version 2", { exact: true }).first().waitFor();
  // The printed page explains the adjustment: it has no column with proposals.
  await operator.page.emulateMedia({ media: "print" });
  const figures = operator.page.getByRole("row", { name: /Adjustments/ });
  await figures.getByText(/5\.00: Monthly fee of the bank \(.* proposed, .* confirmed\)/).waitFor();
  await operator.page.emulateMedia({ media: "screen" });
  await operator.page.getByRole("link", { name: "Version 1" }).click();
  await operator.page.getByText("This is version 1, not the newest one.").waitFor();
  await operator.open(CALENDAR);
  await expectNoHorizontalScroll(operator.page, "calendar");
  expect(await operator.page.getByText("Closed, balance not observed").count()).toBe(1);
  operator.expectQuiet();
  approver.expectQuiet();
});
