/** The review of a batch in a real browser: its comments, rows and comparison. */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDashboard, type OpenDashboard } from "../../support/dashboard/open-dashboard.ts";
import { expectAccessible, expectNoHorizontalScroll } from "../../support/dashboard/browser.ts";
import { ingestFile } from "../../support/ledger.ts";
import { fileText, type TestRow } from "../../support/servers/payrun.ts";
import { force } from "../../support/servers/postgres.ts";

let app: OpenDashboard;
beforeAll(async () => {
  app = await openDashboard({ settleMs: 300 });
});
afterAll(() => app.close());

const proven = () =>
  app.payrun.database
    .updateTable("sessions")
    .set({ stepped_up_until: new Date(Date.now() + 600_000) })
    .execute();
const stateOf = async (id: string) => (await app.payrun.ledger.payout.findBatch({ id }))?.state;

test("mentions a person in a comment, who replies, and each sees only the other's as new", async () => {
  const batch = await app.batch([{ amount: "12.00" }, { amount: "9.00", name: "Bala Iyer" }]);
  const chen = await app.visitor(["approver"]);
  const mia = await app.visitor(["viewer"]);
  await sql`update users set password = 'x'`.execute(app.payrun.database);
  await chen.open(`/batches/${batch.id}/approval`);
  const { page } = chen;
  await page.getByRole("heading", { name: /^1 finding, for your information only$/ }).waitFor();
  await page.getByLabel("Find a name, line, amount or account").fill("bala");
  await page.getByRole("cell", { name: "INR 12.00" }).waitFor({ state: "detached" });
  await page.getByRole("rowheader", { name: "Bala Iyer" }).waitFor();

  await page.getByLabel("Comment", { exact: true }).fill("Is line 3 right, @view");
  await page.getByRole("option", { name: "viewer" }).click();
  await page.getByRole("button", { name: "Add comment" }).click();
  await page.getByText("@viewer", { exact: true }).waitFor();
  await expectAccessible(page, "the comments");

  await mia.open(`/batches/${batch.id}/approval`);
  await mia.page.getByText("New", { exact: true }).waitFor();
  await mia.page.getByRole("button", { name: "Reply to approver" }).click();
  await mia.page.getByLabel("Reply to approver").fill("Yes, see the invoice.");
  await mia.page.getByRole("button", { name: "Add reply" }).click();
  await mia.page.getByText("Yes, see the invoice.").waitFor();
  expect(await mia.page.getByText("New", { exact: true }).count()).toBeLessThan(2);

  await chen.open("/");
  const bell = page.getByRole("button", { name: "Notifications: 2 unread notifications" });
  await bell.click();
  const list = page.getByRole("dialog", { name: "Notifications" });
  await list.getByText("Yes, see the invoice.").waitFor();
  await expectAccessible(page, "the notifications");
  await page.keyboard.press("Escape");
  await list.waitFor({ state: "hidden" });
  await bell.and(page.locator(":focus")).press("Enter");
  await list
    .getByRole("listitem")
    .filter({ hasText: "Yes, see the invoice." })
    .getByRole("link")
    .click();
  await page.waitForURL(`**/batches/${batch.id}`);
  for (const visitor of [chen, mia]) {
    visitor.expectQuiet();
    await visitor.close();
  }
});

test("shows new beneficiaries, changed accounts and common payouts compared with earlier batches", async () => {
  const names = ["Manu Pillai", "Lila Menon", "Nora Iyer", "Osman Ali", "Puja Nair", "Rina Roy"];
  const people = names.map((name, index) => ({
    name,
    account: `9020000000${index}`,
    amount: "70.00",
  }));
  const [manu = {}, ...others] = people;
  const upload = async (rows: readonly TestRow[]) =>
    (await ingestFile(app.payrun.ledger, fileText(rows))).batch;
  const before = await upload(people);
  await force(app.payrun.databaseUrl, "update payouts set state = 'settled' where batch_id = $1", [
    before.id,
  ]);
  const batch = await upload([...others, { ...manu, account: "90200000009" }]);
  const visitor = await app.visitor(["approver"], { width: 360, height: 740 });
  const { page } = visitor;
  await visitor.open(`/batches/${batch.id}/approval`);
  const beside = page.locator("section", {
    has: page.getByRole("heading", { name: "Totals", exact: true }),
  });
  await beside.locator("summary", { hasText: "a different account" }).click();
  await beside.getByRole("link", { name: "Manu Pillai" }).waitFor();
  await beside.getByText("••0000").waitFor();
  await beside.getByText("same account and amount as in the other batch").waitFor();
  const link = beside.getByRole("link").first();
  expect(await link.getAttribute("href")).toBe(`/batches/${before.id}`);

  const unusual = page.locator("section", {
    has: page.getByRole("heading", { name: /needs? attention/ }),
  });
  await unusual.getByText("83% of these payouts are also in another batch.").waitFor();
  await unusual.getByText("5 rows, INR 350.00, to the same accounts").waitFor();
  const finding = unusual.getByRole("listitem").filter({ hasText: "differs by one digit" });
  await finding.getByText("1 payout · INR 70.00 · Manu Pillai ••0000 ••0009").waitFor();
  await finding.getByRole("button", { name: "1 row" }).click();
  await unusual.getByText("differs at character 11").first().waitFor();
  visitor.expectQuiet();
  await visitor.close();
});

test("offers the approval only after each finding that needs attention is ticked", async () => {
  const account = "50100099000001";
  const batch = await app.batch([
    { amount: "12.00", account, name: "Asha Twice" },
    { amount: "12.00", account, name: "Bala Twice" },
  ]);
  const visitor = await app.visitor(["approver"]);
  await proven();
  const { page } = visitor;
  await visitor.open(`/batches/${batch.id}/approval`);
  await page.getByLabel("Total in INR").fill("24.00");
  const approve = page.getByRole("button", { name: "Approve and send 2 payouts" });
  const box = page.getByRole("checkbox", { name: /^Checked: same account and amount twice/ });
  const way = page.getByRole("button", { name: "Check 1 finding" });
  expect([await approve.count(), await box.isChecked()]).toEqual([0, false]);
  await page.keyboard.press("Enter");
  expect(await stateOf(batch.id)).toBe("awaiting_approval");
  await way.click();
  await page.keyboard.press("Space");
  expect(await box.isChecked()).toBe(true);
  expect(await way.count()).toBe(0);
  await expectAccessible(page, "the ticked findings");
  await approve.click();
  await page.waitForURL(/batches\/[^/]+$/);
  expect(await stateOf(batch.id)).not.toBe("awaiting_approval");
  visitor.expectQuiet();
  await visitor.close();
});

/** A closed dialog returns the focus to its button within this time. */
const FOCUS_RETURN_MS = 500;

test("lets a phone enter totals and a send time before the findings are ticked", async () => {
  const account = "50100099000002";
  const batch = await app.batch([
    { amount: "13.00", account, name: "Chen Twice" },
    { amount: "13.00", account, name: "Dana Twice" },
  ]);
  const visitor = await app.visitor(["approver"], { width: 360, height: 740 });
  await proven();
  const { page } = visitor;
  await visitor.open(`/batches/${batch.id}/approval`);
  const way = page.getByRole("button", { name: "Check 1 finding" });
  await way.waitFor();
  await expectNoHorizontalScroll(page, "the bar of an approval with a finding");
  await page.getByRole("button", { name: "Enter totals…" }).click();
  const sheet = page.getByRole("dialog");
  await sheet.getByLabel("Total in INR").fill("26.00");
  await sheet.getByText("Schedule", { exact: true }).click();
  await sheet.getByLabel("Date").waitFor();
  const checkFinding = async () => {
    await sheet.getByRole("button", { name: "Check 1 finding" }).click();
    await sheet.waitFor({ state: "hidden" });
    await page.waitForTimeout(FOCUS_RETURN_MS);
    expect(await page.locator("input[data-acknowledge]:focus").count()).toBe(1);
  };
  await checkFinding();
  await page.getByRole("button", { name: "Enter totals…" }).click();
  await checkFinding();
  const box = page.getByRole("checkbox", { name: /^Checked: same account and amount twice/ });
  await box.check();
  await page.getByRole("button", { name: "Approve…" }).click();
  expect(await sheet.getByLabel("Total in INR").inputValue()).toMatch(/^26/);
  await sheet.getByLabel("Date").waitFor();
  visitor.expectQuiet();
  await visitor.close();
});

test("counts many currencies in the bar, and lists each total on the sheet", async () => {
  const currencies = ["INR", "THB", "PHP", "IDR"] as const;
  const batch = await app.batch(currencies.map((currency) => ({ currency, amount: "50000" })));
  const { page, open, expectQuiet, close } = await app.visitor(["approver"]);
  await open(`/batches/${batch.id}/approval`);
  await page.getByText("4 payouts · 4 currencies").first().waitFor();
  expect(await page.getByText("INR 50,000.00 · ").count()).toBe(0);
  for (const currency of currencies)
    await page.getByRole("row", { name: new RegExp(`^${currency} 1 ${currency}`) }).waitFor();
  expectQuiet();
  await close();
});
