/**
 * Work of people on call: pause with a reason, see which worker died, open the queue board, and
 * find each action on the audit log.
 */
import { afterAll, beforeAll, expect, test } from "vitest";

import { systemClock } from "#base/clock.ts";
import { eventually } from "../../support/servers/eventually.ts";
import { laneIn } from "../../support/ledger.ts";
import { expectNoHorizontalScroll } from "../../support/dashboard/browser.ts";
import { openDashboard, type OpenDashboard } from "../../support/dashboard/open-dashboard.ts";
import { rowsOf } from "../../support/servers/payrun.ts";
import { query } from "../../support/servers/postgres.ts";

const INR = laneIn("INR");
/** The lane's name as the dashboard shows it. */
const NAME = `INR · ${INR.split("/")[0]}`;
let app: OpenDashboard;
beforeAll(async () => {
  // Sent payouts stay pending at the gateway until the test settles them.
  app = await openDashboard({ settleMs: 1 });
  await app.gateway.setFaults([{ fault: "status_pending" }]);
});
afterAll(() => app.close());

const sql = (text: string) => query(app.payrun.databaseUrl, text);
const states = async () => {
  const rows = await sql("select state, count(*)::int as count from payouts group by 1");
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
};

test("pauses a lane, which sends nothing new but follows sent payouts, and resumes it", async () => {
  await app.batch([{ amount: "10.00" }, { amount: "20.00" }], "approved");
  await eventually(
    "what was sent is at the gateway",
    async () => (await states())["accepted"] === 2,
  );

  const visitor = await app.visitor(["operator"]);
  const { page } = visitor;
  await visitor.open("/operations?tab=lanes");
  await page.getByRole("button", { name: `Pause ${NAME}` }).click();
  const dialog = page.getByRole("dialog");
  await dialog
    .getByText(
      "payrun will stop sending. Not yet sent: 0 payouts. payrun will still query the status of 2 payouts already sent.",
    )
    .waitFor();
  const pause = dialog.getByRole("button", { name: "Pause", exact: true });
  expect(await pause.isDisabled()).toBe(true); // requires a reason
  await dialog.getByLabel("Reason").fill("the bank called");
  await pause.click();
  await page.getByRole("main").getByText("the bank called").first().waitFor();
  await page.getByRole("link", { name: /Sending:\s*paused/ }).waitFor();

  const { id } = await app.batch(
    [{ amount: "30.00" }, { amount: "40.00" }, { amount: "50.00" }],
    "approved",
  );
  await app.gateway.setFaults([]);
  await eventually("what was sent has its end", async () => (await states())["settled"] === 2);
  await systemClock.sleep(2_000);
  expect(await states()).toEqual({ settled: 2, approved: 3 });
  expect(await sql("select from attempts")).toHaveLength(2);

  // The batch page says who paused the lane, and cannot resume it.
  await visitor.open(`/batches/${id}`);
  const note = page.getByRole("alert").filter({ hasText: `${NAME} is paused` });
  await note.getByText(/paused sending .*: the bank called\./).waitFor();
  await page.getByRole("button", { name: "Pause", exact: true }).waitFor();
  expect(await page.getByRole("button", { name: "Resume" }).count()).toBe(0);
  await note.getByRole("link", { name: "Open lane" }).click();
  await page.getByRole("button", { name: `Resume ${NAME}` }).click();
  await dialog.getByText("payrun will resume sending. Not yet sent: 3 payouts.").waitFor();
  await dialog.getByLabel("Reason").fill("they called again");
  await dialog.getByRole("button", { name: "Resume", exact: true }).click();
  await eventually("the rest has its end", async () => (await states())["settled"] === 5);
  await page.getByRole("tab", { name: "Health" }).click();
  await page.getByText("Healthy").waitFor();
  await page.getByRole("tab", { name: "Events" }).click();
  const events = page.getByRole("list", { name: "Events" });
  await events.getByText(`Lane paused · ${NAME}`).waitFor();
  await events.getByText("they called again").waitFor();

  // Several changes by one person share a line.
  const limit = { lane: INR, reason: "a trial", actor: `user:${visitor.userId}` };
  for (const rate of [700, 800, null]) await app.payrun.ledger.payout.limitLane({ ...limit, rate });
  await visitor.open("/operations?tab=events");
  await events.getByText("Rate limits changed: 3 events").click();
  await events.getByText("a trial").nth(2).waitFor();
  visitor.expectQuiet();
});

test("limits the rate of a lane, and shows who set it", async () => {
  const visitor = await app.visitor(["operator"]);
  const { page } = visitor;
  await visitor.open("/operations?tab=lanes");
  await page.getByRole("button", { name: `Limit ${NAME}` }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Payouts per second").fill("2");
  await dialog.getByLabel("Concurrent requests").fill("1");
  await dialog.getByLabel("Reason").fill("a new contract");
  await dialog.getByRole("button", { name: "Set limits" }).click();
  await page.getByText(/At most 2 per second, 1 concurrent – .*operator/).waitFor();

  const before = (await states())["settled"] ?? 0;
  await app.batch(
    [1, 2, 3, 4, 5, 6].map((number) => ({ amount: `${number}.00` })),
    "approved",
  );
  await eventually("all have their end", async () => (await states())["settled"] === before + 6);
  const [took] = await sql(`select extract(epoch from max(opened_at) - min(opened_at)) as seconds
    from (select opened_at from attempts order by opened_at desc limit 6) lately`);
  // Two at once after an idle time, then two per second.
  expect(Number(took?.["seconds"])).toBeGreaterThanOrEqual(1.9);

  await page.getByRole("button", { name: `Limit ${NAME}` }).click();
  await dialog.getByLabel("Payouts per second").fill("");
  await dialog.getByLabel("Concurrent requests").fill("");
  await dialog.getByLabel("Reason").fill("the old contract again");
  await dialog.getByRole("button", { name: "Set limits" }).click();
  await page.getByText(/At most 2 per second/).waitFor({ state: "detached" });
  visitor.expectQuiet();
});

test("shows the buttons of a lane on a phone", async () => {
  await app.batch(rowsOf(1), "approved");
  const { page, open, expectQuiet } = await app.visitor(["operator"], { width: 390, height: 844 });
  await open("/operations?tab=lanes");
  for (const name of [`Pause ${NAME}`, `Limit ${NAME}`]) {
    const { x = 0, width = 0 } = (await page.getByRole("button", { name }).boundingBox()) ?? {};
    expect(x + width, name).toBeLessThan(390);
  }
  const card = page.getByRole("row", { name: NAME });
  await expect.poll(() => card.innerText(), { timeout: 30_000 }).toMatch(/\d\/s[^]*\d+ ms/);
  for (const label of ["In doubt", "Send rate", "p95 latency"]) {
    const cell = card.locator(`[data-label="${label}"]`);
    expect((await cell.boundingBox())?.width, label).toBeGreaterThan(20);
  }
  expectQuiet();
});

test("shows a dead worker with what to do about it", async () => {
  await sql(`insert into workers (id, host, pid, version, works, started_at, seen_at, in_flight, slots)
    values ('gone', 'pay-2', 4711, '0.1.0', true, now(), now() - interval '2 minutes', 3, 32)`);
  const visitor = await app.visitor(["viewer"]);
  const { page } = visitor;
  await visitor.open("/operations");
  await page.getByText("1 process stopped reporting").click();
  await page.getByText("Money at risk?").waitFor();
  await page.getByRole("tab", { name: /Workers and queues/ }).click();
  await page
    .getByRole("row", { name: /^Worker 2 pay-2/ })
    .getByText(/No report for/)
    .waitFor();
  expect(await page.getByRole("button", { name: /^Pause/ }).count()).toBe(0);
  await sql("delete from workers where id = 'gone'");
  visitor.expectQuiet();
});

test("shows a merchant account's name on its lanes", async () => {
  const admin = await app.visitor(["admin"]);
  await admin.open("/settings/accounts");
  await admin.page.getByRole("button", { name: /^Change name/ }).click();
  const dialog = admin.page.getByRole("dialog");
  await dialog.getByLabel("Display name").fill("Main account");
  await dialog.getByRole("button", { name: "Save name" }).click();
  await admin.page.getByRole("rowheader", { name: /Main account/ }).waitFor();
  await admin.open("/operations?tab=lanes");
  const lane = admin.page.getByRole("rowheader", { name: /Main account/ });
  await expect.poll(() => lane.innerText(), { timeout: 10_000 }).toBe("INR · Main account");
  await admin.open("/settings/accounts");
  await admin.page.getByRole("button", { name: "Change name: Main account" }).click();
  await dialog.getByLabel("Display name").fill("");
  await dialog.getByRole("button", { name: "Save name" }).click();
  await dialog.waitFor({ state: "detached" });
  admin.expectQuiet();
});

test("shows the queues, and how near each circuit breaker is to its threshold", async () => {
  const visitor = await app.visitor(["viewer"]);
  const { page } = visitor;
  await visitor.open("/operations?tab=workers");
  const submit = page.getByRole("row", { name: /Submit payouts/ });
  await expect.poll(() => submit.innerText(), { timeout: 10_000 }).toMatch(/[1-9]\d*\s+0\s*$/);
  await page
    .getByLabel("Job state")
    .getByText(/Delayed/)
    .click();
  await page.getByRole("tab", { name: "Circuit breakers" }).click();
  await page.getByText("Every lane uses the default thresholds.").waitFor();
  await page.getByText("All 9 closed").click();
  const errors = page.getByRole("row", { name: /^Error rate/ });
  await errors.getByText("0 of 10 recent submissions in doubt").waitFor();
  await sql(`insert into lane_health (lane, outcomes) values ('${INR}', '....eee')
    on conflict (lane) do update set outcomes = excluded.outcomes, updated_at = now()`);
  await page.reload();
  await page.getByText("All 9 closed").click();
  await errors.getByText("3 of 10 recent submissions in doubt").waitFor();
  expect(await errors.getByRole("meter").getAttribute("value")).toBe("3");
  await errors.getByText(NAME).waitFor();
  visitor.expectQuiet();
});

test("marks a lane below its acceptance thresholds, and shows when a breaker last opened", async () => {
  // Of ten submissions, the gateway accepted four and declined six.
  await sql(`insert into throughput_samples (at, lane, counts, latency)
    select date_trunc('minute', now()), '${INR}', '{400,0,600,0,0,0,0,0,0,0,0}', array_fill(0, array[22])
    on conflict (at, lane) do update set counts = excluded.counts`);
  await sql(`insert into breaker_openings values ('${INR}', 'silence', '2026-02-03T04:05:00Z')
    on conflict (lane, breaker) do update set opened_at = excluded.opened_at`);
  const visitor = await app.visitor(["viewer"]);
  const { page } = visitor;
  await visitor.open("/operations?tab=lanes");
  await page.getByRole("row", { name: /critical, below 50%/ }).waitFor();
  await page.getByRole("tab", { name: "Circuit breakers" }).click();
  await page.getByText("All 9 closed").click();
  const silence = page.getByRole("row", { name: /^Gateway silence/ });
  await silence.getByText("3 Feb, 04:05").waitFor();
  await silence.getByText(NAME).waitFor();
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await silence.getByText("3 Feb, 04:05").isVisible()).toBe(true);
  await expectNoHorizontalScroll(page, "circuit breakers at 360 px");
  visitor.expectQuiet();
});

test("shows each action on the audit log by name, and verifies the chain", async () => {
  const visitor = await app.visitor(["auditor"]);
  const { page } = visitor;
  await visitor.open("/audit");
  await page.getByText(/Hash chain verified up to #\d+/).waitFor();
  await page.getByRole("button", { name: "Action", exact: true }).click();
  await page.getByRole("dialog").getByLabel("Action", { exact: true }).selectOption("pause_lane");
  await page.waitForURL(/action=pause_lane/);
  const row = page.getByRole("row", { name: /Lane paused/ });
  await row.waitFor();
  expect(await row.innerText()).toMatch(/operator[^]*the bank called/);
  visitor.expectQuiet();
});

test("shows the current tab of operations and settings on a phone", async () => {
  const { page, open, expectQuiet } = await app.visitor(["operator"], { width: 360, height: 800 });
  const expectInView = async (role: "tab" | "link", name: string) => {
    const tab = page.getByRole(role, { name, exact: true });
    await tab.waitFor();
    await expect.poll(async () => (await tab.boundingBox())?.x ?? -1).toBeGreaterThanOrEqual(0);
    const box = await tab.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(360);
  };
  await open("/operations?tab=events");
  await expectInView("tab", "Events");
  await open("/settings/roles");
  await expectInView("link", "Roles and permissions");
  const row = page.getByRole("navigation", { name: "Settings" });
  expect((await row.boundingBox())?.height).toBeLessThan(60);
  expectQuiet();
});
