/** Changes by others while a page is open: the page prevents actions on outdated information. */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { totalsOf } from "#flows/approval/approve.ts";
import { releaseCanary } from "#flows/payout/lane/canaries.ts";
import { cancelBatch } from "#flows/payout/lane/control-batch.ts";
import { approveAs } from "#flows/approval/record-approval.ts";
import { eventually } from "../../support/servers/eventually.ts";
import { laneIn } from "../../support/ledger.ts";
import { openDashboard, type OpenDashboard } from "../../support/dashboard/open-dashboard.ts";
import { requestedDeposit } from "../../support/dashboard/requested-deposit.ts";

const INR = laneIn("INR");
const NAME = `INR · ${INR.split("/")[0]}`;
let app: OpenDashboard;
beforeAll(async () => {
  app = await openDashboard({ settleMs: 1, faults: [{ fault: "code_121", code: "REFUSED*" }] });
});
afterAll(() => app.close());

const pause = (reason: string) =>
  app.payrun.ledger.payout.pauseLane({
    lane: INR,
    reason,
    actor: "test",
    until: null,
    drain: false,
  });
const resume = () =>
  app.payrun.ledger.payout.resumeLane({ lane: INR, reason: "go on", actor: "test" });

test("leads to a lane that is paused while its batch page is open, and updates the list", async () => {
  const { id } = await app.batch([{ amount: "10.00" }]);
  const { database, ledger, deps } = app.payrun;
  const later = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + 3_600_000);
  const local = later.toISOString().slice(0, 16);
  await sql`insert into send_times (batch_id, send_at, local, zone, expires_hours, set_by)
    values (${id}, ${later}, ${local}, 'UTC', 24, 'schedule:S1')`.execute(database);
  const { userId } = await app.visitor(["approver"]);
  const batch = await ledger.payout.findBatch({ id });
  if (!batch) throw new Error("no batch");
  const { contentDigest } = batch;
  const approval = { batchId: id, userId, contentDigest, totals: totalsOf(batch) };
  expect(await approveAs(approval, { ledger, clock: deps.clock })).toMatchObject({
    ok: true,
  });
  const operator = await app.visitor(["operator"]);
  const { page } = operator;
  await operator.open(`/batches/${id}`);
  await page
    .getByRole("row", { name: /not sent yet/ })
    .first()
    .waitFor();
  await page.getByText("scheduled", { exact: true }).first().waitFor();
  expect(await page.getByText("in progress", { exact: true }).count()).toBe(0);
  await page.getByText(/^payrun will send the batch at/).waitFor();
  expect(await page.getByText("No payouts are being sent right now").count()).toBe(0);
  await operator.open("/batches");
  await page.getByRole("table").getByText("scheduled", { exact: true }).waitFor();
  expect(await page.getByRole("table").getByText("in progress", { exact: true }).count()).toBe(0);
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: /^Search pages/ }).fill(id);
  await page.getByRole("listbox").getByText("scheduled").waitFor();
  await operator.open(`/batches/${id}?tab=timeline`);
  await page.getByRole("cell", { name: "approved the batch", exact: true }).waitFor();
  await operator.open(`/batches/${id}`);
  expect(await page.getByRole("button", { name: "Resume" }).count()).toBe(0);
  await pause("the bank called");
  await page.getByText(`${NAME} is paused`).waitFor();
  await page.getByRole("link", { name: "Open lane" }).waitFor();
  expect(await page.getByRole("button", { name: "Resume" }).count()).toBe(0);
  await resume();
  await page.getByText(`${NAME} is paused`).waitFor({ state: "detached" });

  await sql`update send_times set send_at = date_trunc('milliseconds', now()) where batch_id = ${id}`.execute(
    app.payrun.database,
  );
  await page.getByText("finished").first().waitFor();
  await page.getByRole("tab", { name: "Activity" }).click();
  await page.getByText("released the batch at its scheduled time").waitFor();
  await page.getByRole("tab", { name: "Payouts" }).click();
  const row = page.getByRole("row", { name: /Asha Rao/ });
  await row.getByText("settled", { exact: true }).waitFor();
  expect(await page.getByRole("button", { name: /^Cancel / }).count()).toBe(0);
  operator.expectQuiet();
});

test("shows whose pause is being replaced when another operator paused meanwhile", async () => {
  const [first, second] = [await app.visitor(["operator"]), await app.visitor(["operator"])];
  await second.open("/operations?tab=lanes");
  await second.page.getByRole("button", { name: `Pause ${NAME}` }).click();
  await first.open("/operations?tab=lanes");
  await first.page.getByRole("button", { name: `Pause ${NAME}` }).click();
  await first.page.getByLabel("Reason").fill("ok");
  const confirm = first.page
    .getByRole("dialog")
    .getByRole("button", { name: "Pause", exact: true });
  expect(await confirm.isDisabled()).toBe(true); // the server refuses a reason of two letters
  await first.page.getByLabel("Reason").fill("the bank called");
  await confirm.click();
  const dialog = second.page.getByRole("dialog");
  await dialog.getByText("Already paused").waitFor();
  await dialog.getByText(/operator: the bank called\. No payouts are being sent\./).waitFor();

  const { id } = await app.batch([{ amount: "20.00" }]);
  const approver = await app.visitor(["approver"]);
  await approver.open(`/batches/${id}/approval`);
  await approver.page.getByText(`${NAME} is paused`).waitFor();
  await resume();
  first.expectQuiet();
  second.expectQuiet();
  approver.expectQuiet();
});

test("does not confirm a finding that replaced the one being read", async () => {
  const { code } = await requestedDeposit(app, { currency: "INR", amount: "500.00" });
  await app.payrun.database
    .updateTable("deposits")
    .set({ state: "manual", reason: "manual_process", due_at: null })
    .where("transaction_code", "=", code)
    .execute();
  const operator = await app.visitor(["operator"]);
  const approver = await app.visitor(["approver"]);
  const say = async (finding: string) => {
    await operator.page.getByLabel(finding, { exact: true }).check();
    await operator.page.getByLabel("Evidence").fill("statement of 3 May");
    await operator.page.getByRole("button", { name: /^Propose/ }).click();
  };
  await operator.open(`/deposits/${code}`);
  await operator.page.getByLabel("No money arrived").check();
  await operator.page.getByLabel("Evidence").fill("ok");
  const put = operator.page.getByRole("button", { name: "Propose result" });
  expect(await put.isDisabled()).toBe(true); // the server refuses evidence of two letters
  await say("No money arrived");
  await approver.open(`/deposits/${code}`);
  const agree = approver.page.getByRole("button", { name: "Confirm and resolve" });
  await agree.waitFor();
  await operator.page.getByLabel("Money arrived", { exact: true }).check();
  await operator.page.getByLabel("Amount received (INR)").fill("500");
  await say("Money arrived");
  await approver.page.getByText("INR 500.00 arrived.").waitFor();
  expect(await agree.count()).toBe(0);
  await approver.page.getByRole("button", { name: "I have read the new proposal" }).click();
  await agree.waitFor();
  operator.expectQuiet();
  approver.expectQuiet();
});

test("shows a canary before the approval, and asks nobody about a failed one after the batch finished", async () => {
  const { ledger } = app.payrun;
  const rows = ["REFUSED-9", "REST-9"].map((code) => ({ code, name: code, amount: "65.00" }));
  const { id: batchId } = await app.batch(rows);
  await ledger.payout.setCanary({ batchId, payouts: 1, actor: "test" });
  const approver = await app.visitor(["approver"]);
  const proven = { stepped_up_until: new Date(Date.now() + 600_000) };
  await app.payrun.database.updateTable("sessions").set(proven).execute();
  const told =
    "payrun will first send 1 payout per lane (canary), and the rest once it has settled.";
  const viewer = await app.visitor(["viewer"]);
  await viewer.open(`/batches/${batchId}`);
  await viewer.page.getByText(told).waitFor();
  await approver.open(`/batches/${batchId}/approval`);
  await approver.page.getByText(told).waitFor();
  await approver.page.getByLabel("Total in INR").fill("130.00");
  await approver.page.getByRole("button", { name: "Approve and send 2 payouts" }).click();
  await viewer.page.getByText("A payout that was sent first (canary) did not settle").waitFor();

  const order = { batchId, actor: "test", reason: "wrong accounts" };
  expect(await cancelBatch(order, ledger)).toMatchObject({ ok: true });
  await viewer.page.getByText(`(canary) and never released the rest: ${NAME}.`).waitFor();
  expect(await viewer.page.getByText("The canary has not settled").count()).toBe(0);
  const operator = await app.visitor(["operator"]);
  await operator.open(`/batches/${batchId}`);
  await operator.page.getByText("(canary) and never released the rest").waitFor();
  expect(await operator.page.getByRole("button", { name: "Release unsent payouts" }).count()).toBe(
    0,
  );
  await eventually("it has ended", async () => {
    const refused = await releaseCanary(order, ledger);
    return !refused.ok && refused.error.kind === "wrong_state";
  });
  for (const { expectQuiet } of [viewer, approver, operator]) expectQuiet();
});

test("shows the current state of a batch whose canary can no longer be set", async () => {
  const batch = await app.batch([{ amount: "40.00" }]);
  const { page, open, expectQuiet } = await app.visitor(["approver"]);
  // Otherwise the page can learn of the cancellation before the approver sets the canary.
  await page.route("**/api/live**", (route) => route.abort());
  await open(`/batches/${batch.id}`);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Send a few first (canary)" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Payouts sent first in each lane").fill("1");
  await cancelBatch({ batchId: batch.id, actor: "test", reason: "not wanted" }, app.payrun.ledger);
  await dialog.getByRole("button", { name: "Set canary" }).click();
  await dialog.getByText("The data has changed since you loaded it").waitFor();
  expect(await page.getByText("cancelled", { exact: true }).count()).toBeGreaterThan(0);
  expectQuiet(/409|ERR_FAILED/);
});

test("keeps an open dialog and its text when the batch changes", async () => {
  const { id } = await app.batch([{ amount: "60.00" }]);
  const operator = await app.visitor(["operator"]);
  const approver = await app.visitor(["approver"]);
  const asked = [
    {
      ...operator,
      path: `/batches/${id}`,
      verb: "Cancel unsent payouts",
      button: "Cancel 1 unsent payout",
    },
    { ...approver, path: `/batches/${id}/approval`, verb: "Send back", button: "Send back" },
  ];
  for (const { open, page, path, button } of asked) {
    await open(path);
    await page.getByRole("button", { name: button }).click();
    await page.getByRole("dialog").getByLabel("Reason").fill("wrong accounts");
  }
  await cancelBatch({ batchId: id, actor: "test", reason: "not wanted" }, app.payrun.ledger);
  for (const { page, verb, expectQuiet } of asked) {
    const dialog = page.getByRole("dialog");
    await dialog.getByText("The data has changed since you loaded it").waitFor();
    expect(await dialog.getByLabel("Reason").inputValue()).toBe("wrong accounts");
    expect(await dialog.getByRole("button", { name: verb }).isDisabled()).toBe(true);
    await dialog.getByRole("button", { name: "Go back" }).click();
    await dialog.waitFor({ state: "detached" });
    expectQuiet();
  }
});

test("keeps newer events when a slower answer arrives", async () => {
  const { id } = await app.batch([{ amount: "70.00" }]);
  const { database, ledger } = app.payrun;
  const payout = await database
    .selectFrom("payouts as p")
    .innerJoin("payout_details as d", "d.payout_id", "p.id")
    .select("d.transaction_code")
    .where("p.batch_id", "=", id)
    .executeTakeFirstOrThrow();
  const late = [`/batches/${id}`, `/payouts/${payout.transaction_code}`];
  const held = Promise.withResolvers<void>();
  const looking = late.map(async (path) => {
    const { page, expectQuiet } = await app.visitor(["operator"]);
    const read = Promise.withResolvers<void>();
    await page.route(
      `**/api${path}`,
      async (route) => {
        const answer = await route.fetch();
        read.resolve();
        await held.promise;
        await route.fulfill({ response: answer });
      },
      { times: 1 },
    );
    await page.goto(path);
    await read.promise;
    return { page, expectQuiet };
  });
  const seen = await Promise.all(looking);
  const order = { batchId: id, actor: "test", reason: "not wanted" };
  expect(await cancelBatch(order, ledger)).toMatchObject({ ok: true });
  // Longer than the stream needs to report it.
  await seen[0]?.page.waitForTimeout(3_000);
  held.resolve();
  for (const { page, expectQuiet } of seen) {
    await page.waitForTimeout(1_000);
    const main = page.getByRole("main");
    const slowly = { timeout: 15_000 };
    await expect.poll(() => main.innerText(), slowly).toContain("Cancelled");
    await expect.poll(() => main.innerText(), slowly).not.toContain("awaiting approval");
    // The lower parts of the page are preloaded, and wait for the held answer.
    expectQuiet(/preload/);
  }
});

test("says when approving on a frozen ledger that sending has stopped, and what may have been forgotten", async () => {
  const { id } = await app.batch([{ amount: "50.00" }]);
  await app.payrun.ledger.integrity.freeze({ reason: "a copy was put back", actor: "test" });
  const approver = await app.visitor(["approver"]);
  await approver.open(`/batches/${id}/approval`);
  await approver.page.getByText("The ledger is frozen: no payouts are being sent").waitFor();
  const forgotten = approver.page.getByText("The ledger may have lost records of uploaded files");
  await forgotten.waitFor();
  expect(await forgotten.count()).toBe(1);
  approver.expectQuiet();

  const others = await app.visitor(["uploader", "operator"]);
  await others.open("/upload");
  await others.page.getByText("The ledger is frozen: no payouts are being sent").waitFor();
  await others.page
    .getByText("make sure that it does not repeat any payouts already sent")
    .waitFor();
  await others.open("/operations?tab=lanes");
  const lane = others.page.getByRole("row", { name: NAME }).filter({ hasText: "Pause" });
  await lane.getByText("Ledger frozen").waitFor();
  expect(await lane.getByText("Sending", { exact: true }).count()).toBe(0);
  others.expectQuiet();
});
