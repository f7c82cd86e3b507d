/**
 * A question about a payment: found by name and amount, followed until there is an answer, shown in
 * full.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";

import { claimsOf, expectAccessible } from "../../support/dashboard/browser.ts";
import { eventually } from "../../support/servers/eventually.ts";
import { approvedWithSendTime } from "../../support/dashboard/scheduled-batch.ts";
import { openDashboard, type OpenDashboard } from "../../support/dashboard/open-dashboard.ts";

let app: OpenDashboard;

const NEW_BANK = "HDFC Bank Limited";

beforeAll(async () => {
  app = await openDashboard({
    faults: [
      // Accepted with the answer lost. Status queries return nothing useful until the test changes
      // the gateway.
      { fault: "cut_after", code: "DOUBT1" },
      { fault: "status_500", code: "DOUBT1" },
      { fault: "code_121", code: "REFUSED1" },
    ],
  });
  await app.batch(
    [
      { name: "Anna Rao", amount: "1200.00", code: "FINE1" },
      { name: "Ánna Gómez", amount: "1200.00", code: "REFUSED1" },
      { name: "Anna Rao", amount: "77.00", code: "FINE2" },
    ],
    "approved",
  );
  await stateBecomes("FINE1", "settled");
  await stateBecomes("REFUSED1", "declined");
});
afterAll(() => app.close());

const stateBecomes = (code: string, state: string) =>
  eventually(`${code} is ${state}`, async () => {
    const question = await app.payrun.ledger.payout.findStatusQuery(code);
    return question?.state === state;
  });

test("lets support find a payout by name and amount, and see its status at a glance", async () => {
  const { page, open, expectQuiet } = await app.visitor(["viewer"]);
  await open("/");
  await page.keyboard.press("/");
  await page.getByRole("combobox").fill("anna rao 1200");
  await page.getByRole("option").filter({ hasText: "FINE1" }).waitFor();
  expect(await page.getByRole("option").count()).toBe(1);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "INR 1,200.00 to Anna Rao" }).waitFor();
  await page.getByText("Yes. The gateway reports the payout as completed.").waitFor();
  expect(await page.locator("[data-proven]").count()).toBeGreaterThan(0);
  const copy = await page.getByRole("button", { name: "Copy" }).first().boundingBox();
  expect(copy?.height).toBeGreaterThanOrEqual(24); // large enough for a finger
  expectQuiet();
});

test("filters the list by its address, moves through it by keys, and opens with Enter", async () => {
  const { page, open, expectQuiet } = await app.visitor(["viewer"]);
  await open("/payouts?name=anna&amount=1200.00");
  await page.getByText("2 payouts", { exact: true }).waitFor();
  await page.getByRole("button", { name: "State" }).click();
  await page.getByRole("dialog").getByLabel("declined").check();
  await page.getByRole("status").getByText("1 payout", { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  expect(new URL(page.url()).searchParams.get("state")).toBe("declined");
  await page.getByRole("heading", { level: 1 }).focus();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "INR 1,200.00 to Ánna Gómez" }).waitFor();
  await page.getByText("No. The gateway has conclusively reported that it will not pay.").waitFor();
  expect(await claimsOf(page)).toEqual([]);
  expectQuiet();
});

test("reports an account that could not be searched, and keeps the typed text", async () => {
  const { page, open, expectQuiet } = await app.visitor(["operator"]);
  await open("/payouts");
  await page.getByRole("button", { name: "More filters" }).click();
  const account = page.getByLabel("Account number");
  await account.fill("000111222333");
  await page.route("**/api/account-filters", (asked) => asked.abort());
  await page.getByRole("button", { name: "Apply" }).click();
  await page
    .getByRole("alert")
    .getByText("The server did not respond, so payrun cannot tell")
    .waitFor();
  expect(await account.inputValue()).toBe("000111222333");
  await page.unroute("**/api/account-filters");
  await page.getByRole("button", { name: "Apply" }).click();
  await page.getByText("No payouts match these filters.").waitFor();
  expectQuiet(/account-filters|ERR_FAILED/);
});

test("shows operators the failures by group, what to do, and their payouts", async () => {
  const { page, open, expectQuiet } = await app.visitor(["operator"]);
  await open("/");
  await page.getByRole("link", { name: "Failures" }).first().click();
  await page.getByRole("heading", { level: 1, name: "Failures" }).waitFor();
  const row = page.getByRole("row").filter({ hasText: "bank not found" });
  await row.getByText(/^.+ or another uploader can fix the details$/).waitFor();
  await row.getByText("Correct the bank code or the bank name").waitFor();
  await row.getByRole("button", { name: /bank not found/ }).click();
  const cause = page.getByRole("dialog");
  await cause.getByText("Correct the bank code or the bank name").waitFor();
  expect(await cause.getByRole("link", { name: "Fix and retry" }).count()).toBe(0);
  expect(await claimsOf(page)).toEqual([]);

  const [file] = await Promise.all([
    page.waitForEvent("download"),
    cause.getByRole("link", { name: /^CSV for INR/ }).click(),
  ]);
  expect(readFileSync(await file.path(), "utf8")).toContain("REFUSED1");
  await page.keyboard.press("Escape");
  await row.getByRole("link", { name: "1", exact: true }).click();
  await page.getByRole("status").getByText("1 payout", { exact: true }).waitFor();
  await page.getByText("REFUSED1", { exact: true }).waitFor();

  await open("/failures?currency=THB");
  await page.getByText("No failures match these filters.").waitFor();
  expectQuiet();
});

test("retries a declined payout with corrected details and a new code, linked from the original", async () => {
  const { page, open, expectQuiet } = await app.visitor(["uploader"]);
  await open("/failures");
  const failure = page.getByRole("row").filter({ hasText: "bank not found" });
  await failure.getByRole("link", { name: "Fix and retry" }).click();
  const create = page.getByRole("button", { name: /^Send .*for approval$/ });
  expect(await create.isDisabled()).toBe(true);
  await page.getByRole("button", { name: /^Fix details on line/ }).click();
  const editor = page.getByRole("dialog", { name: /^Fix details: .+ · INR .+ \(line \d+\)$/ });
  const save = editor.getByRole("button", { name: "Save details" });
  expect(await save.isDisabled()).toBe(true);
  await editor.getByLabel("Bank name").fill(NEW_BANK);
  await editor.getByText("These details are valid.").waitFor();
  await save.click();
  await page.getByText("1 with new details").waitFor();
  await create.click();
  // Closes by itself, so it is looked for first.
  await page.getByText("Sent for approval.").first().waitFor();
  await page.waitForURL((url) => /\/batches\/B[0-9A-Z]+$/.test(url.pathname));
  await page.getByRole("row").getByText(NEW_BANK).first().waitFor();
  const batchId = page.url().split("/").at(-1) ?? "";
  await page.getByText("This batch retries payouts from").waitFor();
  expect((await app.payrun.ledger.payout.findBatch({ id: batchId }))?.state).toBe(
    "awaiting_approval",
  );
  await open(`/batches/${batchId}/approval`);
  await page.getByText("Bank details changed: 1 payout").waitFor();
  await page.getByRole("row").getByText(NEW_BANK).first().waitFor();
  expect(await page.getByText("Compared with").count()).toBe(0);
  await approvedWithSendTime(app, batchId);
  await open("/payouts/REFUSED1");
  await page.getByRole("definition").getByRole("link").first().click();
  const again = page.getByRole("region", { name: "Retry batches" });
  await again.getByText("scheduled").waitFor();
  await open("/payouts/REFUSED1");
  const chain = page.getByRole("list", { name: "Payouts for this row, oldest first" });
  await chain.getByRole("link", { name: batchId }).waitFor();
  expect(await chain.getByRole("listitem").count()).toBe(2);
  expect(await claimsOf(page)).toEqual([]);
  expectQuiet();
});

test("shows a payout as in doubt, and its resolution without a reload", async () => {
  await app.batch([{ name: "Bala Iyer", amount: "99.50", code: "DOUBT1" }], "approved");
  await stateBecomes("DOUBT1", "in_doubt");
  const { page, open, expectQuiet } = await app.visitor(["operator"]);
  await open("/payouts/DOUBT1");
  const answer = page.getByRole("status").filter({ hasText: "Has money moved?" });
  await answer.getByText("in doubt").waitFor();
  await answer.getByText("Possibly.").waitFor();
  expect(await claimsOf(page)).toEqual([]);
  await page.evaluate("window.stillTheSamePage = true");

  await app.gateway.setFaults([]);
  await answer.getByText("Yes. The gateway reports the payout as completed.").waitFor();
  expect(await page.evaluate("window.stillTheSamePage")).toBe(true);
  expectQuiet();
});

test("lists the evidence of a payout on a page that prints without the navigation", async () => {
  await app.batch([{ name: "Chitra Das", amount: "55.50", code: "PROOF1" }], "approved");
  await stateBecomes("PROOF1", "settled");
  const { page, open, expectQuiet } = await app.visitor(["viewer"]);
  await open("/payouts/PROOF1");
  await page.locator("time small").first().waitFor();
  await page.emulateMedia({ media: "print" });
  expect(await page.locator("time small").first().isVisible()).toBe(false);
  await page.emulateMedia({ media: "screen" });
  await page.getByRole("link", { name: "Evidence" }).click();
  await page.getByRole("heading", { level: 1, name: /^Evidence: INR 55\.50/ }).waitFor();
  for (const name of ["Approvals", "Attempts", "Status responses", "Audit log entries"]) {
    await page.getByRole("region", { name, exact: true }).getByRole("table").waitFor();
  }
  await page
    .getByText(/^[0-9a-f]{64}$/)
    .first()
    .waitFor();
  await page.getByText(/you need permission to read the audit log/).waitFor();
  await expectAccessible(page, "the evidence of a payout");
  await page.emulateMedia({ media: "print" });
  expect(await page.getByRole("navigation", { name: "Main" }).first().isVisible()).toBe(false);
  expect(await page.getByRole("button", { name: "Print" }).isVisible()).toBe(false);
  expectQuiet();
});

test("lets operators assign a failure group, comment on it and snooze it without hiding it", async () => {
  const { page, open, expectQuiet } = await app.visitor(["operator"]);
  await open("/failures?state=declined");
  const row = page.getByRole("row").filter({ hasText: "bank not found" });
  const details = row.getByRole("button", { name: /bank not found/ });
  await details.click();
  const cause = page.getByRole("dialog");
  await cause.getByText("Not assigned.").waitFor();
  await cause.getByText("Assign, comment, snooze").click();
  await cause.getByRole("button", { name: "Assign to me" }).click();
  await cause.getByText(/^Assigned to .+\./).waitFor();
  const said = "Asked the maker. <b>Not</b> a tag";
  await cause.getByRole("textbox", { name: "Comment" }).fill(said);
  await cause.getByRole("button", { name: "Add comment" }).click();
  await cause
    .getByRole("list", { name: /^Comments/ })
    .getByText(said)
    .waitFor();

  const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  await cause.getByLabel("Hide from the list until").fill(day);
  await cause.getByRole("button", { name: "Snooze" }).click();
  await page.getByText("Snoozed: 1 failure group with 1 payout.").waitFor();
  await row.waitFor({ state: "detached" });
  await page.keyboard.press("Escape");
  await cause.waitFor({ state: "detached" });
  await page.locator(":focus").filter({ hasText: "Snoozed: 1 failure group" }).waitFor();
  await page.getByRole("button", { name: "Show snoozed" }).click();
  await row.getByText(/^Snoozed until/).waitFor();
  expect(await claimsOf(page)).toEqual([]);
  expectQuiet();
});

test("saves the filters of a list under a name, with the keyboard only, in the user's account", async () => {
  const { page, open, expectQuiet } = await app.visitor(["viewer"], { width: 320 });
  await open("/payouts?state=declined&name=gomez");
  const views = page.getByRole("navigation", { name: "Views" });
  await views.getByText("Save a view").focus();
  await page.keyboard.press("Enter");
  await views
    .getByText("Filters that identify a beneficiary will not be saved in the view: name.")
    .waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.type("Not taken");
  await page.keyboard.press("Enter");
  await views.getByRole("link", { name: "Not taken" }).waitFor();

  await open("/payouts");
  await views.getByRole("link", { name: "Not taken" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("status").getByText("1 payout", { exact: true }).waitFor();
  expect(new URL(page.url()).search).toBe("?state=declined");
  await views.locator("a[aria-current]").waitFor();

  await views.getByText("Save or change views").click();
  await views.getByLabel("New name for view Not taken").fill("Refused");
  await views.getByRole("button", { name: "Rename view Not taken" }).click();
  await views.getByRole("link", { name: "Refused" }).waitFor();
  await views.getByRole("button", { name: "Delete view Refused" }).click();
  await views.getByText("Save a view").waitFor();
  expect(await page.locator(":focus").textContent()).toBe("Save a view");
  expectQuiet();
});

test("masks the account until a user gives a reason, and records the reveal", async () => {
  const { page, open, expectQuiet } = await app.visitor(["operator"]);
  await open("/payouts/FINE1");
  const covered = await page.getByText(/^•+\d{4}$/).textContent();
  await page.getByRole("button", { name: "Show full account" }).click();
  const show = page.getByRole("button", { name: "Show account number" });
  expect(await show.isDisabled()).toBe(true);
  await page.getByLabel("Reason").fill("The bank asks for this");
  await show.click();
  await page.getByText(/^\d{10,}$/).waitFor();
  await page.getByText("Full account number viewed").waitFor();
  await page.getByText("The bank asks for this").waitFor();

  const line = await app.payrun.database
    .selectFrom("audit")
    .select(["actor", "facts"])
    .where("object", "=", "FINE1")
    .where("action", "=", "reveal")
    .executeTakeFirstOrThrow();
  expect(line.actor).toMatch(/^user:/);
  expect(JSON.parse(line.facts)).toEqual({ reason: "The bank asks for this" });
  expect(line.facts).not.toContain(covered?.slice(-4));
  expectQuiet();
});
