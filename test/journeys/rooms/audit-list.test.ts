/** The audit log: filtered with chips, loaded by scrolling, exported and shown as cards. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";

import { appendAudit } from "#ledger/integrity/audit-hash-chain.ts";

import { expectAccessible, expectNoHorizontalScroll } from "../../support/dashboard/browser.ts";
import { openDashboard, type OpenDashboard } from "../../support/dashboard/open-dashboard.ts";

const ENTRIES = 130;

let app: OpenDashboard;
beforeAll(async () => {
  app = await openDashboard();
  await app.payrun.database.transaction().execute(async (transaction) => {
    for (let index = 0; index < ENTRIES; index += 1) {
      await appendAudit(transaction, new Date(), {
        actor: "cli:ops",
        action: index % 13 === 0 ? "resume_lane" : "pause_lane",
        object: `LANE-${index}`,
        facts: { reason: "the bank called" },
      });
    }
  });
});
afterAll(() => app.close());

test("filters entries by action, loads more at the end, and exports exactly the filtered ones", async () => {
  const { page, open, expectQuiet } = await app.visitor(["auditor"]);
  await open("/audit");
  await page.getByRole("row", { name: /LANE-129/ }).waitFor();
  await expectAccessible(page, "the audit log");
  const isComplete = page.getByText(/^1[3-9]\d rows shown$/);
  await expect
    .poll(
      async () => {
        await page.keyboard.press("End");
        return isComplete.count();
      },
      { timeout: 20_000 },
    )
    .toBe(1);
  await page.keyboard.press("Home");

  await page.getByRole("button", { name: "Action", exact: true }).click();
  await page.getByRole("dialog").getByLabel("Action", { exact: true }).selectOption("resume_lane");
  await page.waitForURL(/action=resume_lane/);
  await page.getByText("10 rows shown").waitFor();
  await page.getByRole("button", { name: "Export" }).click();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "CSV" }).click(),
  ]);
  const lines = readFileSync(await file.path(), "utf8")
    .trim()
    .split("\n");
  expect(lines).toHaveLength(1 + 10);
  expectQuiet();
});

test("shows a list among the details without its length, which is no number of payouts", async () => {
  await app.payrun.database.transaction().execute((transaction) =>
    appendAudit(transaction, new Date(), {
      actor: "payrun",
      action: "finish_with_exceptions",
      object: "B-10",
      facts: {
        payouts: [
          { lane: "LANE-1", state: "settled", payouts: 8 },
          { lane: "LANE-1", state: "declined", payouts: 2 },
        ],
      },
    }),
  );
  const { page, open, expectQuiet } = await app.visitor(["auditor"]);
  await open("/audit?object=B-10");
  await page.locator("summary", { hasText: /^Show list$/ }).click();
  const first = page.getByText("Lane: LANE-1, State: settled, Payouts: 8");
  await expect.poll(() => first.isVisible()).toBe(true);
  expectQuiet();
});

test("shows entries as cards on a phone, without a sideways scroll", async () => {
  const { page, open, expectQuiet } = await app.visitor(["auditor"], { width: 360, height: 740 });
  await open("/audit?object=LANE-13");
  await page.getByText("1 row shown").waitFor();
  await expectNoHorizontalScroll(page, "the audit log");
  await expectAccessible(page, "the audit log as cards");
  expect(await page.getByRole("rowheader").first().isVisible()).toBe(true);
  expectQuiet();
});
