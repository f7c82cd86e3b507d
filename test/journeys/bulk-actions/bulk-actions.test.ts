/**
 * Bulk actions on the list of payouts: the preview, the result, and the confirmation by a second
 * person.
 */
import { afterAll, beforeAll, expect, test } from "vitest";

import { systemClock } from "#base/clock.ts";
import { loadStatement } from "#flows/reconciliation/load-statement.ts";
import { laneParts } from "#payout/payout.ts";
import { expectAccessible, expectNoHorizontalScroll } from "../../support/dashboard/browser.ts";
import { openDashboard, type OpenDashboard } from "../../support/dashboard/open-dashboard.ts";
import { approvedWithSendTime } from "../../support/dashboard/scheduled-batch.ts";
import { laneIn } from "../../support/ledger.ts";
import { uploadOf } from "../../support/reconciliation/statement-of-day.ts";
import { eventually } from "../../support/servers/eventually.ts";

const LANE = laneIn("INR");
const IN_DOUBT = ["DOUBT-1", "DOUBT-2"];

let app: OpenDashboard;
beforeAll(async () => {
  app = await openDashboard({
    // Paid at the gateway, which does not tell payrun.
    faults: IN_DOUBT.flatMap((code) => [
      { fault: "cut_after", code },
      { fault: "status_500", code },
    ]),
  });
});
afterAll(() => app.close());

const stateOf = async (code: string) =>
  (await app.payrun.ledger.payout.findStatusQuery(code))?.state;

const statesOf = (codes: readonly string[]) => Promise.all(codes.map(stateOf));

/** An approved batch whose payouts are not sent during the test. */
async function unsentBatch(prefix: string, rows: number) {
  const codes = Array.from({ length: rows }, (_, index) => `${prefix}-${index + 1}`);
  const batch = await app.batch(
    codes.map((code, index) => ({ code, name: `Anna ${code}`, amount: `${100 + index}.00` })),
  );
  await approvedWithSendTime(app, batch.id);
  return { id: batch.id, codes };
}

test("holds back 3 of 5 payouts, releases one and cancels another", async () => {
  const { id, codes } = await unsentBatch("HOLD", 5);
  const { page, open, expectQuiet } = await app.visitor(["operator"]);
  await open(`/batches/${id}`);
  for (const code of codes.slice(0, 3)) await page.getByLabel(`Select ${code}`).check();
  const bar = page.getByRole("region", { name: "Selected rows" });
  await bar.getByText("3 selected").waitFor();
  await bar.getByRole("button", { name: "Hold back" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Hold back payouts" });
  await dialog.getByText("All 3 selected payouts can be held back.").waitFor();
  await dialog.getByText("INR 303.00").waitFor();
  await expectAccessible(page, "the preview");
  const hold = dialog.getByRole("button", { name: "Hold back 3 payouts" });
  expect(await hold.isDisabled()).toBe(true);
  await dialog.getByLabel("Reason").fill("Check these accounts");
  await hold.press("Enter");
  await dialog.getByText("3 payouts held back").waitFor();
  expect(await statesOf(codes)).toEqual([
    "held_back",
    "held_back",
    "held_back",
    "approved",
    "approved",
  ]);
  await expectAccessible(page, "the result");
  await page.getByText("0 of 5 payouts processed").waitFor();
  await page.getByText("3 held back until someone releases or cancels them.").waitFor();
  await dialog.getByRole("link", { name: "Show these payouts and their results" }).click();
  await page.getByRole("heading", { level: 1, name: "Hold back 3 payouts" }).waitFor();
  await page.getByRole("link", { name: "HOLD-3" }).waitFor();
  expect(await page.getByRole("link", { name: "HOLD-4" }).count()).toBe(0);
  await expectAccessible(page, "the bulk action");

  await open("/payouts/HOLD-1");
  await page.getByRole("button", { name: "Release" }).click();
  const release = page.getByRole("dialog", { name: "Release payouts" });
  await release.getByText("The selected payout can be released.").waitFor();
  await release.getByLabel("Reason").fill("The account is right");
  await release.getByRole("button", { name: "Release 1 payout" }).click();
  await release.getByText("1 payout released").waitFor();
  await release.getByRole("button", { name: "Close" }).last().click();
  await page.getByRole("button", { name: "Hold back" }).waitFor();

  await open("/payouts/HOLD-2");
  await page.getByRole("button", { name: "Cancel this row" }).click();
  const cancel = page.getByRole("dialog", { name: "Cancel payouts" });
  await cancel.getByLabel("Reason").fill("The account was closed");
  await cancel.getByRole("button", { name: "Cancel 1 payout" }).click();
  await cancel.getByText("1 payout cancelled").waitFor();
  await page.keyboard.press("Escape");
  await page.getByText("No. The payout was cancelled").waitFor();
  expect(await statesOf(codes.slice(0, 3))).toEqual(["approved", "cancelled", "held_back"]);

  await open("/payouts?code=HOLD");
  await page.getByRole("button", { name: "State" }).click();
  await page.getByRole("dialog").getByLabel("held back").check();
  await page.getByRole("status").getByText("1 payout", { exact: true }).waitFor();
  await page.getByText("HOLD-3", { exact: true }).waitFor();
  expectQuiet();
});

test("selects everything that a filter finds, also on a phone", async () => {
  const { codes } = await unsentBatch("ALL", 4);
  const { page, open, expectQuiet } = await app.visitor(["operator"], { width: 360, height: 740 });
  await open("/payouts?code=ALL");
  await page.getByRole("button", { name: "Select", exact: true }).click();
  await page.getByLabel("Select ALL-1").check();
  const bar = page.getByRole("region", { name: "Selected rows" });
  await bar.getByRole("button", { name: "Select all 4 found" }).click();
  await bar.getByText("All 4 selected").waitFor();
  expect(await page.getByLabel("Select ALL-4").isChecked()).toBe(true);
  await expectNoHorizontalScroll(page, "the bar");
  await bar.getByRole("button", { name: "Actions" }).click();
  await page.getByRole("menuitem", { name: "Hold back" }).click();
  const dialog = page.getByRole("dialog", { name: "Hold back payouts" });
  await dialog.getByText("All 4 selected payouts can be held back.").waitFor();
  await expectNoHorizontalScroll(page, "the preview");
  await dialog.getByLabel("Reason").fill("Check these accounts");
  await dialog.getByRole("button", { name: "Hold back 4 payouts" }).click();
  await dialog.getByText("4 payouts held back").waitFor();
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await bar.waitFor({ state: "detached" });
  await page.getByText("held back", { exact: true }).first().waitFor();
  expect(new Set(await statesOf(codes))).toEqual(new Set(["held_back"]));
  expectQuiet();
});

test("reports a payout that changed after the preview as not changed", async () => {
  const { codes } = await unsentBatch("MOVED", 2);
  const first = await app.visitor(["operator"]);
  const second = await app.visitor(["operator"]);
  const { page } = first;
  await first.open("/payouts?code=MOVED");
  for (const code of codes) await page.getByLabel(`Select ${code}`).check();
  await page.getByRole("button", { name: "Cancel payouts" }).click();
  const dialog = page.getByRole("dialog", { name: "Cancel payouts" });
  await dialog.getByText("All 2 selected payouts can be cancelled.").waitFor();

  await second.open("/payouts/MOVED-1");
  await second.page.getByRole("button", { name: "Hold back" }).click();
  const other = second.page.getByRole("dialog");
  await other.getByLabel("Reason").fill("Ask the supplier first");
  await other.getByRole("button", { name: "Hold back 1 payout" }).click();
  await other.getByText("1 payout held back").waitFor();

  await dialog.getByLabel("Reason").fill("Sent by mistake");
  await dialog.getByRole("button", { name: "Cancel 2 payouts" }).click();
  await dialog.getByText("1 payout cancelled").waitFor();
  await dialog.getByText("1 payout did not change").waitFor();
  await dialog.getByText("The payout has changed since the preview.").waitFor();
  expect(await statesOf(codes)).toEqual(["held_back", "cancelled"]);
  first.expectQuiet();
  second.expectQuiet();
});

test("resolves payouts by a statement when a second person confirms", async () => {
  await app.batch(
    IN_DOUBT.map((code) => ({ code, amount: "250.00" })),
    "approved",
  );
  await eventually("both payouts are in doubt", async () =>
    (await statesOf(IN_DOUBT)).every((state) => state === "in_doubt"),
  );
  await loadStatementOfToday();
  const operator = await app.visitor(["operator"]);
  const approver = await app.visitor(["approver"]);
  await app.payrun.database
    .updateTable("sessions")
    .set({ stepped_up_until: new Date(Date.now() + 300_000) })
    .where("user_id", "=", approver.userId)
    .execute();
  const { page } = operator;
  await operator.open("/payouts?code=DOUBT");
  await page.getByLabel("Select all shown rows").check();
  await page.getByRole("button", { name: "Resolve by statement" }).click();
  const dialog = page.getByRole("dialog", { name: "Resolve by statement" });
  await dialog.getByText("All 2 selected payouts can be resolved by a statement.").waitFor();
  await dialog.getByLabel("Reason").fill("Listed on the statement of today");
  await dialog.getByRole("button", { name: "Propose 2 results" }).click();
  await dialog.getByText("2 results proposed").waitFor();
  expect(await statesOf(IN_DOUBT)).toEqual(["in_doubt", "in_doubt"]);

  await approver.open("/");
  await approver.page
    .getByRole("link", { name: "Review: Confirm the results of 2 payouts" })
    .click();
  await approver.page.getByRole("heading", { level: 1, name: "Resolve 2 payouts" }).waitFor();
  await approver.page.getByText("Listed on the statement of today").waitFor();
  await expectAccessible(approver.page, "the proposal");
  await approver.page.getByRole("button", { name: "Confirm" }).click();
  await approver.page
    .getByRole("dialog")
    .getByRole("button", { name: "Confirm 2 results" })
    .click();
  await approver.page.getByText("Applied", { exact: true }).waitFor();
  expect(await statesOf(IN_DOUBT)).toEqual(["resolved", "resolved"]);
  operator.expectQuiet();
  approver.expectQuiet();
});

/** Loads the statement of today from the simulated gateway. */
async function loadStatementOfToday(): Promise<void> {
  const { merchantCode: merchant, currency } = laneParts(LANE);
  const day = new Date().toISOString().slice(0, 10);
  const asked = new URLSearchParams({ merchant: merchant ?? "", currency, day, defects: "" });
  let csv = "";
  await eventually("the gateway has paid both", async () => {
    csv = await (await fetch(`${app.gateway.url}/statement?${asked.toString()}`)).text();
    return csv.split("Completed,").length > IN_DOUBT.length;
  });
  const upload = uploadOf(csv, { lane: LANE, day, changes: { zone: "UTC" } });
  const loaded = await loadStatement(upload, { ledger: app.payrun.ledger, clock: systemClock });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
}
