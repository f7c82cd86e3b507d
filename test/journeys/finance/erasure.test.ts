/** An operator proposes to erase a person, and an approver confirms it. */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Role } from "#people/roles.ts";
import {
  expectAccessible,
  expectNoHorizontalScroll,
  type Look,
} from "../../support/dashboard/browser.ts";
import { openDashboard, type OpenDashboard } from "../../support/dashboard/open-dashboard.ts";
import { MINUTE_MS } from "../../support/actions/people.ts";
import { requestedDeposit } from "../../support/dashboard/requested-deposit.ts";
import { eventually } from "../../support/servers/eventually.ts";

const NAME = "Zubaidah Quillfeather";
const NARROW: Look = { width: 360, height: 740, theme: "dark" };
let app: OpenDashboard;
beforeAll(async () => {
  app = await openDashboard({ settleMs: 1 });
});
afterAll(() => app.close());

async function joined(role: Role, look?: Look) {
  const visitor = await app.visitor([role], look);
  const proven = { stepped_up_until: new Date(Date.now() + 5 * MINUTE_MS) };
  const { database } = app.payrun;
  await database
    .updateTable("sessions")
    .set(proven)
    .where("user_id", "=", visitor.userId)
    .execute();
  return visitor;
}

test("erases a person after a second person has confirmed it, and labels the payout", async () => {
  const { id } = await app.batch([{ code: "GONE-1", name: NAME }, { code: "KEPT-1" }], "approved");
  await eventually("every payout has settled", async () => {
    const batch = await app.payrun.ledger.payout.findBatch({ id });
    return batch?.state === "finished";
  });
  const operator = await joined("operator", NARROW);
  await operator.open("/payouts/GONE-1");
  await operator.page.getByText(NAME).first().waitFor();

  await operator.open("/settings/erasures");
  const { page } = operator;
  await page.getByText("There are no erasures.").waitFor();
  await page.getByLabel("Transaction code").fill("GONE-2");
  await page.getByLabel("Reason").fill("request 12");
  await page.getByRole("button", { name: "Propose erasure" }).click();
  await page.getByRole("alert").first().waitFor();
  await page.getByLabel("Transaction code").fill("GONE-1");
  await page.getByRole("button", { name: "Propose erasure" }).click();
  await page.getByText("Waiting for an approver").waitFor();
  expect(await page.getByRole("button", { name: "Erase the person" }).count()).toBe(0);
  await expectNoHorizontalScroll(page, "erasures");
  await expectAccessible(page, "erasures");

  const approver = await joined("approver");
  await approver.open("/settings/erasures");
  await approver.page.getByRole("button", { name: "Erase the person of erasure 1" }).click();
  const dialog = approver.page.getByRole("dialog");
  await dialog.getByText("This cannot be undone. Reason: request 12").waitFor();
  await dialog.getByRole("button", { name: "Erase", exact: true }).click();
  await approver.page.getByText("1 payout or deposit", { exact: true }).waitFor();
  await approver.page.getByText("To complete the erasures, run payrun key rotate").waitFor();
  approver.expectQuiet();

  await approver.open("/payouts/GONE-1");
  await approver.page.getByText("The data of the beneficiary was erased").waitFor();
  expect(await approver.page.getByText(NAME).count()).toBe(0);
  for (const path of [`/batches/${id}?tab=rows`, "/payouts"]) {
    await approver.open(path);
    await approver.page.getByText("Erased", { exact: true }).first().waitFor();
    expect(await approver.page.getByText(NAME).count()).toBe(0);
  }
  const { rows } = await sql`select from erasures where outcome = 'agreed'`.execute(
    app.payrun.database,
  );
  expect(rows).toHaveLength(1);
});

test("labels a deposit whose payer was erased, and offers no link for the payer", async () => {
  const { code } = await requestedDeposit(app, { currency: "INR", amount: "310.00" });
  await app.payrun.database
    .updateTable("deposits")
    .set({ sealed: Buffer.from([0]), payment_details: null, depositor: null })
    .where("transaction_code", "=", code)
    .execute();
  const viewer = await app.visitor(["uploader"]);
  await viewer.open("/deposits");
  await viewer.page.getByRole("row", { name: /310\.00.*Erased/ }).waitFor();
  await viewer.open(`/deposits/${code}`);
  await viewer.page.getByText("The data of the payer was erased").waitFor();
  await viewer.page.getByText("Erased", { exact: true }).waitFor();
  expect(await viewer.page.getByText("Payment link").count()).toBe(0);
  viewer.expectQuiet();
});
