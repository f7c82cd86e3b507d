/**
 * A payout limit from the settings to the approval, in a real browser: set, shown before the
 * upload, enforced at approval.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { tickFindings } from "../../support/dashboard/acknowledge.ts";
import { expectAccessible, expectNoHorizontalScroll } from "../../support/dashboard/browser.ts";
import { laneIn } from "../../support/ledger.ts";
import { openDashboard, type OpenDashboard } from "../../support/dashboard/open-dashboard.ts";
import { rowsOf } from "../../support/servers/payrun.ts";

let app: OpenDashboard;
beforeAll(async () => {
  const crypto = { CRYPTO_CURRENCIES: "USDT-POLYGON-POS=evm:6" };
  app = await openDashboard({ settleMs: 300 }, "simulated", crypto);
});
afterAll(() => app.close());

const proven = () =>
  app.payrun.database
    .updateTable("sessions")
    .set({ stepped_up_until: new Date(Date.now() + 600_000) })
    .execute();

test("lets an admin set limits, shows a maker the remaining headroom, and enforces them at approval", async () => {
  const first = await app.batch(rowsOf(2));
  const admin = await app.visitor(["admin"], { width: 360, height: 740 });
  await proven();
  const { page } = admin;
  await admin.open("/settings/limits");
  const add = async (
    number: number,
    of: string,
    amount: string,
    isHard: boolean,
    currency = "inr",
  ) => {
    await page.getByRole("button", { name: "Add a limit" }).click();
    const limit = page.getByRole("group", { name: `Limit ${number}` });
    expect(await limit.locator("[aria-invalid=true]").count()).toBe(0);
    await limit.getByLabel("Applies to").selectOption(of);
    await limit.getByLabel("At most").fill(amount);
    await limit.getByLabel("Currency").fill(currency);
    await limit.getByLabel("Above this amount").selectOption(isHard ? "hard" : "soft");
  };
  await add(1, "one payout", "100", false);
  const least = page.getByRole("group", { name: "Limit 1" }).getByLabel("At most");
  await least.fill("12,34,567.50");
  await least.blur();
  expect(await least.inputValue()).toBe("12,34,567.50");
  await least.fill("100");
  await add(2, "all payouts approved in a day", "350.00", true);
  // The code of a crypto currency is configured by the operator and may be long.
  await add(3, "one payout", "100", true, "usdt-polygon-pos");
  await expectNoHorizontalScroll(page, "the limits");
  await expectAccessible(page, "the limits");
  // The button stays in the window although the form is longer.
  await page.getByText("Unsaved changes").waitFor();
  await page.evaluate("scrollTo(0, 0)");
  const save = page.getByRole("button", { name: "Save limits" });
  expect((await save.boundingBox())?.y).toBeLessThan(740);
  await save.click();
  await page.getByText("The limits take effect with the next approval.").waitFor();
  await page.reload();
  expect(await page.getByRole("textbox", { name: "Currency" }).last().inputValue()).toBe(
    "USDT-POLYGON-POS",
  );
  admin.expectQuiet();
  await admin.close();

  // The first batch exceeds no limit and counts as reserved from its approval on.
  const checker = await app.visitor(["approver"]);
  await proven();
  await checker.open(`/batches/${first.id}/approval`);
  await checker.page.getByText("Within limits").waitFor();
  await checker.page.locator("summary", { hasText: "Balances and reservations" }).click();
  const account = checker.page.getByRole("row", { name: `INR · ${laneIn("INR").split("/")[0]}` });
  await account.waitFor();
  await expectAccessible(checker.page, "the sheet");
  await tickFindings(checker.page);
  await checker.page.getByLabel("Total in INR").fill("200.00");
  await checker.page.getByRole("button", { name: "Approve and send 2 payouts" }).click();
  await checker.page.waitForURL(/batches\/[^/]+$/);

  const maker = await app.visitor(["uploader"]);
  await maker.open("/upload");
  await maker.page
    .getByRole("row", { name: /all payouts approved in one day \(hard\).*350.*150/ })
    .waitFor();
  await expectAccessible(maker.page, "the upload");
  maker.expectQuiet();
  await maker.close();
  const reader = await app.visitor(["admin"]);
  await reader.open("/settings/limits");
  await reader.page.getByText("INR 150.00 left now; INR 200.00 used").waitFor();
  expect(await reader.page.getByText("left now").count()).toBe(1); // only the daily limit adds up
  // Only batches that the rules would change are listed.
  await app.payrun.database.updateTable("batches").set({ people_needed: 2 }).execute();
  await reader.open("/settings/approval-rules");
  const people = reader.page.getByRole("combobox", { name: "People" });
  await people.selectOption("2");
  await reader.page.getByText("would not change the number of people required").waitFor();
  expect(await reader.page.getByRole("link", { name: "test.csv" }).count()).toBe(0);
  await people.selectOption("3");
  await reader.page.getByRole("link", { name: "test.csv" }).waitFor();
  reader.expectQuiet();
  await reader.close();

  // A large payout needs one more approver. The rest of the day's limit is not enough for a large
  // batch.
  const large = await app.batch([{ amount: "149.00" }]);
  await checker.open(`/batches/${large.id}/approval`);
  await checker.page
    .getByText("The batch exceeds a payout limit: one more approver needed")
    .waitFor();
  await tickFindings(checker.page);
  await checker.page.getByLabel("Total in INR").fill("149");
  await checker.page
    .getByRole("button", { name: "Approve 1 payout; 1 approval still needed" })
    .click();
  await checker.page
    .getByText("You approved this batch. It still needs 1 more approval.")
    .waitFor();

  const tooMuch = await app.batch(rowsOf(2));
  await checker.open(`/batches/${tooMuch.id}/approval`);
  await checker.page.getByText("The batch exceeds a payout limit and cannot be approved").waitFor();
  await checker.page
    .getByText("350.00 allowed, 400.00 found, of which 200.00 was already approved")
    .waitFor();
  await checker.page.getByText("The batch exceeds a hard payout limit.").waitFor();
  expect(await checker.page.getByRole("button", { name: /^Approve/ }).count()).toBe(0);
  await expectAccessible(checker.page, "the sheet");
  checker.expectQuiet();
  await checker.close();
});
