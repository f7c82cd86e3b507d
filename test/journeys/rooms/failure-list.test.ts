/** The list of failures: filtered with chips, sorted, exported and shown as cards. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";

import { expectAccessible, expectNoHorizontalScroll } from "../../support/dashboard/browser.ts";
import { openDashboard, type OpenDashboard } from "../../support/dashboard/open-dashboard.ts";
import { approvedWithSendTime } from "../../support/dashboard/scheduled-batch.ts";
import { eventually } from "../../support/servers/eventually.ts";
import { force, query } from "../../support/servers/postgres.ts";
import { rowsOf } from "../../support/servers/payrun.ts";

let app: OpenDashboard;
const sql = (text: string) => query(app.payrun.databaseUrl, text);

beforeAll(async () => {
  app = await openDashboard({ settleMs: 1 });
  await app.gateway.setFaults([{ fault: "code_121" }]);
  await app.batch(
    rowsOf(3, (index) => ({ code: `FAIL-${index}` })),
    "approved",
  );
  await eventually("all are declined", async () => {
    const [{ count } = { count: 0 }] = await sql(
      "select count(*)::int as count from payouts where state = 'declined'",
    );
    return count === 3;
  });
  await sql(
    `update payouts set state = 'on_hold', reason = 'manual_process' where id =
      (select payout_id from payout_details where transaction_code = 'FAIL-2')`,
  );
});
afterAll(() => app.close());

test("filters failures by state with counts, sorts them and exports exactly those listed", async () => {
  const { page, open, expectQuiet } = await app.visitor(["operator"]);
  await open("/failures");
  await page.getByText("2 failure groups · 3 payouts").waitFor();
  expect(await page.getByText("rows shown").count()).toBe(0);
  // An operator cannot correct the rows, but sees in which batch the uploader does.
  const href = await page.getByRole("link", { name: "Open batch" }).getAttribute("href");
  expect(href).toMatch(/^\/batches\/[^/]+$/);
  await expectAccessible(page, "failures");
  await page.getByRole("button", { name: "State" }).click();
  await page.getByRole("dialog").getByLabel("declined").check();
  await page.keyboard.press("Escape");
  await page.getByText("1 failure group · 2 payouts").waitFor();
  await page.getByRole("columnheader", { name: "Oldest" }).getByRole("button").click();
  await page.waitForURL(/sort=oldest/);
  await page.getByRole("row").nth(1).getByRole("button").first().click();
  await page
    .getByRole("dialog")
    .getByText(/^Only an uploader can fix and retry these payouts/)
    .waitFor();
  await page.getByRole("dialog").getByText("Assign, comment, snooze").click();
  await page.getByRole("button", { name: "Assign to me" }).click();
  await page
    .getByRole("dialog")
    .getByText(/^Assigned to .+\./)
    .waitFor();

  await open("/failures?whose=nobody");
  await page.getByText("1 failure group · 1 payout").waitFor();
  await page.getByRole("button", { name: "Export" }).click();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "CSV" }).click(),
  ]);
  const [, ...lines] = readFileSync(await file.path(), "utf8")
    .trim()
    .split("\n");
  expect(lines.map((line) => line.split(",")[0])).toEqual(["FAIL-2"]);
  expectQuiet();
});

test("leads from a batch to its payouts on hold", async () => {
  const [{ id } = { id: "" }] = await sql("select id from batches");
  const { page, open, expectQuiet } = await app.visitor(["operator"]);
  await open(`/batches/${String(id)}`);
  await page.getByRole("link", { name: "Review", exact: true }).click();
  await page.waitForURL(/state=on_hold&reason=manual_process/);
  const found = page
    .getByRole("tabpanel")
    .getByRole("status")
    .filter({ hasText: /^1 payout$/ });
  await found.waitFor();
  expect(await found.count()).toBe(1);
  expectQuiet();
});

test("previews an action on exactly the payouts of a failure group", async () => {
  const { page, open, expectQuiet } = await app.visitor(["operator"]);
  await open("/failures?state=on_hold");
  await page.getByText("1 failure group · 1 payout").waitFor();
  await page.getByRole("row").nth(1).getByRole("button").first().click();
  await page
    .getByRole("group", { name: "Actions on 1 payout" })
    .getByRole("button", { name: "Resolve by statement" })
    .click();
  const dialog = page.getByRole("dialog", { name: "Resolve by statement" });
  await dialog.getByText("The selected payout cannot be resolved by a statement.").waitFor();
  await dialog.getByText("No current statement lists a result of the payout.").waitFor();
  await expectAccessible(page, "the preview on a failure group");
  await open("/failures?state=declined");
  await page.getByRole("row").nth(1).getByRole("button").first().click();
  const actions = page.getByRole("group", { name: /^Actions on/ });
  await actions.getByRole("button", { name: "Assign payouts" }).click();
  const assigning = page.getByRole("dialog", { name: "Assign payouts" });
  await assigning.getByText(/selected payouts? can be assigned\.$/).waitFor();
  expect(await actions.getByRole("button").count()).toBe(1);
  expectQuiet();
});

test("shows the result of an action after which the failure group leaves the list", async () => {
  const { id } = await app.batch(rowsOf(2, (index) => ({ code: `LATER-${index}` })));
  await approvedWithSendTime(app, id);
  await sql(`update payouts set reason = 'deferred: busy' where batch_id = '${id}'`);
  const { page, open, expectQuiet } = await app.visitor(["operator"]);
  await open("/failures?state=approved");
  await page.getByRole("row").nth(1).getByRole("button").first().click();
  await page
    .getByRole("group", { name: "Actions on 2 payouts" })
    .getByRole("button", { name: "Hold back" })
    .click();
  const dialog = page.getByRole("dialog", { name: "Hold back payouts" });
  await dialog.getByLabel("Reason").fill("Look at these first");
  await dialog.getByRole("button", { name: "Hold back 2 payouts" }).click();
  await dialog.getByText("2 payouts held back").waitFor();
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await page.getByText("No failures match these filters").waitFor();
  expect(await sql(`select distinct state from payouts where batch_id = '${id}'`)).toEqual([
    { state: "held_back" },
  ]);
  expectQuiet();
});

test("assigns selected payouts after a preview, and lists them individually", async () => {
  const { page, open, expectQuiet } = await app.visitor(["operator"]);
  await open("/payouts?code=FAIL-2");
  await page.getByLabel("Select FAIL-2").check();
  await page.getByRole("button", { name: "Assign", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Assign payouts" });
  await dialog.getByText("The selected payout can be assigned.").waitFor();
  expect(await sql("select from assignments where object = 'FAIL-2'")).toEqual([]);
  await expectAccessible(page, "assign payouts");
  await dialog.getByRole("button", { name: "Assign 1 payout" }).click();
  await dialog.getByText("1 payout assigned").waitFor();
  await dialog.getByRole("link", { name: "Show this payout and its result" }).click();
  await page.getByRole("heading", { name: "Assign 1 payout" }).waitFor();
  await page.getByText("Assigned to", { exact: true }).waitFor();
  await open("/failures");
  const table = page.getByRole("table", { name: "Payouts assigned or snoozed individually" });
  await table.getByText(/^Assigned to/).waitFor();
  await table.getByRole("link", { name: "FAIL-2" }).waitFor();
  expect(await table.getAttribute("aria-rowcount")).toBe("2");
  expectQuiet();
});

test("shows failures as cards on a phone, whose details open with the whole card", async () => {
  const { page, open, expectQuiet } = await app.visitor(["viewer"], { width: 360, height: 740 });
  await open("/failures");
  await page.getByText("2 failure groups · 3 payouts").waitFor();
  await expectNoHorizontalScroll(page, "failures");
  await expectAccessible(page, "failures as cards");
  expect(await page.getByRole("columnheader").getByRole("button").count()).toBe(0);
  const card = page.getByRole("row").nth(1);
  const box = await card.boundingBox();
  await page.mouse.click((box?.x ?? 0) + 150, (box?.y ?? 0) + (box?.height ?? 0) - 6);
  await page.getByRole("dialog").waitFor();
  await expectAccessible(page, "the details of a failure group");
  await expectNoHorizontalScroll(page, "the details of a failure group");
  expectQuiet();
});

test("a declined payout that a retry has paid leaves the failures, and its count links to the others", async () => {
  await sql(
    `insert into descendants (payout_id, parent_id, ancestors)
      select paid.payout_id, parent.payout_id, array[parent.payout_id]
      from payout_details paid, payout_details parent
      where paid.transaction_code = 'FAIL-2' and parent.transaction_code = 'FAIL-1'`,
  );
  await force(
    app.payrun.databaseUrl,
    `update payouts set state = 'settled', reason = null where id =
      (select payout_id from payout_details where transaction_code = 'FAIL-2')`,
  );
  const { page, open, expectQuiet } = await app.visitor(["operator"]);
  await open("/failures");
  await page.getByText("1 failure group · 1 payout").waitFor();
  await page.getByRole("row").nth(1).getByRole("link", { name: "1" }).click();
  await page.waitForURL(/retry_result=none/);
  await page.getByText("without those that a retry paid or replaced").waitFor();
  await page.getByText("FAIL-0").first().waitFor();
  expect(await page.getByText("FAIL-1").count()).toBe(0);
  expectQuiet();
});
