/**
 * A schedule in a real browser: its rule in a sentence and its times before saving, and people's
 * decisions about it.
 */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectAccessible, expectNoHorizontalScroll } from "../../support/dashboard/browser.ts";
import { eventually } from "../../support/servers/eventually.ts";
import { openDashboard, type OpenDashboard } from "../../support/dashboard/open-dashboard.ts";
import { rowsOf } from "../../support/servers/payrun.ts";
import { query } from "../../support/servers/postgres.ts";

let app: OpenDashboard;
beforeAll(async () => {
  app = await openDashboard({}, "simulated", { CUT_OFFS: "INR=16:00 Asia/Kolkata" });
});
afterAll(() => app.close());

const sql = (text: string) => query(app.payrun.databaseUrl, text);

/** A working day so far ahead that no batch is created for it meanwhile. */
function dayAhead(): string {
  const dates = [3, 4, 5].map((days) => new Date(Date.now() + days * 86_400_000));
  const date = dates.find((each) => each.getUTCDay() % 6 !== 0) as Date;
  return date.toLocaleDateString("en", { weekday: "long", timeZone: "UTC" });
}

/** A second schedule for the same list at another hour, removed again. */
async function saysThatBothAreMeant(page: Page, list: string): Promise<void> {
  await page.getByRole("button", { name: "New schedule" }).click();
  await page.getByLabel("Name").fill("Wages again");
  await page.getByRole("combobox", { name: /^Batch/ }).fill(list);
  await page.getByRole("option", { name: new RegExp(list) }).click();
  await page.getByLabel(/^Time\b(?! zone)/).fill("18:00");
  await page.getByRole("button", { name: "Save schedule" }).click();
  await page.getByText("Another schedule already pays the same list").waitFor();
  await page.getByText(/^The schedule “Wages” already pays the rows of .*: Every/).waitFor();
  await expectAccessible(page, "a list that another schedule pays");
  await page.getByLabel(/^Pay these rows under both schedules/).check();
  await page.getByRole("button", { name: "Save schedule" }).click();
  await page.getByRole("heading", { name: "Wages again" }).waitFor();
  const [made] = await sql(
    "select facts from audit where action = 'create_schedule' order by seq desc",
  );
  expect(String(made?.["facts"])).toMatch(/"second_of":"SC/); // the log says so as well
  // In one statement: between two, a worker would plan its next day.
  await sql(`with it as (select id from schedules where name = 'Wages again'),
    days as (delete from occurrences where schedule_id in (select id from it))
    delete from schedules where id in (select id from it)`);
}

test("shows a schedule as a sentence, saves it, misses it, and creates its batch on a person's decision", async () => {
  const list = await app.batch(rowsOf(2));
  const maker = await app.visitor(["uploader"], { width: 360, height: 740 });
  const { page } = maker;
  await maker.open("/schedules");
  await page.getByRole("button", { name: "New schedule" }).click();
  await page.getByLabel("Name").fill("Wages");
  await page.getByRole("combobox", { name: /^Batch/ }).fill(list.id);
  await page.getByRole("option", { name: new RegExp(list.id) }).click();
  await page.getByText(`Batch ${list.id} has not finished.`).waitFor();
  await page.getByLabel("Repeats").selectOption("week");
  const day = dayAhead();
  await page.getByRole("checkbox", { name: day.slice(0, 3) }).check();
  await page.getByRole("checkbox", { name: "Fri" }).setChecked(day === "Friday");
  await page.getByLabel(/^Time\b(?! zone)/).fill("17:00");
  await page.getByRole("combobox", { name: /^Time zone/ }).fill("Asia/Kolkata");
  await page.getByText("Batch created 24 h before the time").click();
  await page.getByLabel("Approval expires after (hours)").fill("12");
  const zone = page.getByRole("combobox", { name: /^Time zone/ });
  await expect.poll(() => zone.inputValue()).toBe("Asia/Kolkata (GMT+5:30)");
  await zone.fill("são paulo");
  await page.getByRole("option", { name: /^America\/Sao_Paulo/ }).waitFor();
  await zone.fill("new york");
  await page.getByRole("option", { name: /^America\/New_York/ }).waitFor();
  await zone.fill("nowhere");
  await page.getByText("No time zone has this name.").waitFor();
  await page.getByRole("checkbox", { name: day.slice(0, 3) }).uncheck();
  await page.getByText("The rule is incomplete. Required: at least one day of the week.").waitFor();
  await page.getByRole("checkbox", { name: day.slice(0, 3) }).check();
  await expect.poll(() => zone.inputValue()).toBe("Asia/Kolkata (GMT+5:30)");
  await page.getByText("No single time zone matches “nowhere”.").waitFor();
  await zone.press("Tab");
  await page.getByText(`Every ${day} at 17:00 Asia/Kolkata.`).waitFor();
  await page
    .getByText(/is after the 16:00 cut-off\. The money may arrive one working day later/)
    .first()
    .waitFor();
  await expectAccessible(page, "a new schedule");
  await expectNoHorizontalScroll(page, "a new schedule");
  await page.getByRole("button", { name: "Save schedule" }).click();
  await page.getByRole("heading", { name: "Wages" }).waitFor();
  await page
    .getByText("Wages has been saved. It is listed below with its next occurrences.")
    .waitFor();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(await page.getByRole("heading", { name: "Wages" }).count()).toBe(1);
  await page.getByText(", 2 payouts").waitFor();
  await page.getByText("INR 200.00").first().waitFor();
  await saysThatBothAreMeant(page, list.id);
  expect(await sql("select lead_hours, grace_hours, expires_hours from schedules")).toEqual([
    { lead_hours: 24, grace_hours: 4, expires_hours: 12 },
  ]);
  maker.expectQuiet(/400|409/);
  await maker.close();

  // No worker ran at its time.
  await sql(
    `update occurrences set create_at = now() - interval '2 days', send_at = now() - interval '1 day'`,
  );
  await eventually("it is missed", async () => {
    const [first] = await sql("select state from occurrences order by day");
    return first?.["state"] === "missed";
  });
  const operator = await app.visitor(["operator"]);
  await operator.open("/schedules");
  await operator.page.getByText("Missed: no batch was created").waitFor();
  await operator.page.getByRole("button", { name: /^Create batch for / }).click();
  const dialog = operator.page.getByRole("dialog");
  expect(await dialog.getByLabel("Reason").getAttribute("maxlength")).toBe("500");
  await dialog.getByLabel("Reason").fill("it was not made by hand");
  await dialog.getByRole("button", { name: "Create batch" }).click();
  await dialog.waitFor({ state: "detached" });
  await eventually("its batch waits for approval", async () => {
    const found = await sql(
      `select b.state from occurrences o join batches b on b.id = o.batch_id`,
    );
    return found.length === 1 && found[0]?.["state"] === "awaiting_approval";
  });
  await operator.open("/schedules");
  await operator.page.getByRole("cell", { name: "Batch created", exact: true }).waitFor();
  // On a slow machine, the focus once moved to the heading instead.
  const slow = await operator.context.newCDPSession(operator.page);
  await slow.send("Emulation.setCPUThrottlingRate", { rate: 8 });
  await operator.page.getByRole("button", { name: "Pause Wages" }).click();
  await dialog.getByLabel("Reason").fill("new accounts");
  await dialog.getByRole("button", { name: "Pause", exact: true }).click();
  await operator.page.getByText("Paused: new accounts").waitFor();
  const resume = operator.page.getByRole("button", { name: "Resume Wages" });
  await resume.and(operator.page.locator(":focus")).waitFor();
  operator.expectQuiet();
  await operator.close();
});

test("says before saving what the first batch is, and shows it as blocked in every list", async () => {
  const rows = rowsOf(2, (index) => ({ account: `5010000777000${index}` }));
  const paid = await app.batch(rows, "approved");
  await eventually("it is settled", async () => {
    const [batch] = await sql(`select state from batches where id = '${paid.id}'`);
    return batch?.["state"] === "finished";
  });
  const maker = await app.visitor(["uploader"], { timezone: "Asia/Kolkata" });
  const { page } = maker;
  await maker.open("/schedules");
  await page.getByRole("button", { name: "New schedule" }).click();
  await page.getByLabel("Name").fill("Rents");
  // The zone of the reader is the first of the list, which has places only.
  await page.getByRole("combobox", { name: /^Time zone/ }).click();
  const here = page.getByRole("listbox").getByRole("option").first();
  await expect.poll(() => here.textContent()).toBe("Asia/Kolkata (GMT+5:30)");
  expect(await page.getByRole("option", { name: /^Etc/ }).count()).toBe(0);
  await here.click();
  await page.getByRole("combobox", { name: /^Batch/ }).fill(paid.id);
  await page.getByRole("option", { name: new RegExp(paid.id) }).click();
  await page.getByLabel("Repeats").selectOption("day");
  await page.getByLabel(/^Time\b(?! zone)/).fill("17:00");
  await page
    .getByText(/^The first batch has 2 payouts \(INR 200\.00\)\. payrun creates it/)
    .waitFor();
  await page.getByText("The first batch may be blocked").waitFor();
  await page.getByText(new RegExp(`Batch ${paid.id} was sent on .* gives a reason`)).waitFor();
  await expectAccessible(page, "a schedule of a list that was just paid");
  await page.getByText("Batch created 24 h before the time").click();
  await page.getByLabel("Lead time (hours)").fill("48");
  await page.getByText(/payrun creates it as soon as you save, and sends it on /).waitFor();
  await page.getByRole("button", { name: "Save schedule" }).click();
  await page.getByRole("heading", { name: "Rents" }).waitFor();
  await eventually("its batch is blocked", async () => {
    const found = await sql("select 1 from notices where key like 'batch_blocked %'");
    return found.length > 0;
  });
  await maker.open("/schedules");
  await page.getByText("Batch blocked").first().waitFor();
  await page
    .getByText(/can be approved only after an uploader gives a reason/)
    .first()
    .waitFor();
  await maker.open("/batches");
  const blocked = page.getByRole("row").filter({ hasText: "Rents" }).first();
  await blocked.getByText("blocked", { exact: true }).waitFor();
  await blocked.getByRole("link", { name: "Give a reason" }).click();
  await page.getByText("Blocked: exact duplicates of payouts in another batch").waitFor();
  await page.getByText("blocked", { exact: true }).waitFor();
  await page.getByRole("heading", { level: 1, name: /^Approval of / }).waitFor();
  await page.getByRole("link", { name: "Open batch" }).click();
  await page.getByText("2 payouts").first().waitFor();
  // The badge of the batch, and those of its two payouts.
  await expect.poll(() => page.getByText("blocked", { exact: true }).count()).toBe(3);
  expect(await page.getByText("awaiting approval", { exact: true }).count()).toBe(0);
  await page.locator("[data-row-link]").first().click();
  await page.getByText(/The batch of this payout contains exact duplicates/).waitFor();
  await page.getByText("blocked", { exact: true }).first().waitFor();
  maker.expectQuiet(/400/);

  const approver = await app.visitor(["approver"]);
  await approver.open("/approvals?show=all");
  const waiting = approver.page.getByRole("row").filter({ hasText: "Rents" }).first();
  await waiting.getByText("An uploader must give a reason for its exact duplicates.").waitFor();
  expect(await approver.page.getByText("1 batch to approve").count()).toBe(0);
  approver.expectQuiet();
});

test("edits a schedule, confirms a skipped occurrence, and does not overwrite another user's edit", async () => {
  const list = await app.batch(rowsOf(2));
  const maker = await app.visitor(["uploader"], { width: 360, height: 740 });
  const { page } = maker;
  const calendar =
    '{"rule":{"every":"once","date":"2099-01-05"},"time":"09:00","zone":"Asia/Kolkata","holidays":null,"shift":"none"}';
  await sql(`insert into schedules (id, name, calendar, source, lead_hours, grace_hours, expires_hours, maker)
    values ('SCRENTS', 'Rents', '${calendar}', '{"kind":"list","batch":"${list.id}"}', 0, 4, 24, 'user:${maker.userId}')`);
  await maker.open("/schedules");
  await page.getByRole("button", { name: "Edit Rents" }).click();
  const dialog = page.getByRole("dialog");
  const time = dialog.getByLabel(/^Time\b(?! zone)/);
  await dialog.getByText("Batches that already exist keep their rows").waitFor();
  expect(await dialog.getByLabel("Date").inputValue()).toBe("5 Jan 2099");
  await dialog.getByText("at 09:00 Asia/Kolkata.").first().waitFor();
  await time.fill("11:30");
  await dialog.getByText("at 11:30 Asia/Kolkata.").first().waitFor();
  await expectAccessible(page, "a schedule that is edited");
  await expectNoHorizontalScroll(page, "a schedule that is edited");
  await sql("update schedules set version = version + 1 where name = 'Rents'");
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await dialog.getByText("Another user changed this schedule after you loaded it.").waitFor();
  await dialog.getByRole("button", { name: "Load the current schedule" }).click();
  await dialog.getByText("at 09:00 Asia/Kolkata.").first().waitFor();
  await time.fill("11:45");
  await dialog.getByLabel("Date").fill("2099-01-06");
  await dialog
    .getByText("The occurrence planned for 2099-01-05 09:00 Asia/Kolkata will not take place.")
    .waitFor();
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await dialog.getByText("Confirm the edit only if the schedule is not to pay").waitFor();
  await dialog.getByLabel("Do not pay for this occurrence").check();
  await expectAccessible(page, "an edit that skips an occurrence");
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByText("at 11:45 Asia/Kolkata.").first().waitFor();
  maker.expectQuiet(/409/);
  await maker.close();
});

test("skips all undecided days of a schedule with one decision, after showing them", async () => {
  const { id: list } = await app.batch(rowsOf(1));
  await sql(`insert into schedules (id, name, calendar, source, lead_hours, grace_hours, expires_hours, maker)
    select 'SCDECIDE', 'Advances', calendar, jsonb_build_object('kind', 'list', 'batch', '${list}'), 24, 4, 24, maker
    from schedules limit 1`);
  await sql(`insert into occurrences (schedule_id, day, local, zone, send_at, create_at, state)
    select 'SCDECIDE', day, day || 'T09:00', 'UTC', (day || 'T09:00Z')::timestamptz, now(), 'missed'
    from unnest(array['2026-01-05', '2026-01-06']) as day`);
  const { page, open, expectQuiet } = await app.visitor(["operator"]);
  await open("/schedules");
  await page.getByRole("button", { name: "Decide all 2 days" }).click();
  const dialog = page.getByRole("dialog", { name: "Decide all days of Advances?" });
  const days = dialog.getByRole("region", { name: "Days to decide" }).getByRole("listitem");
  await days.first().waitFor();
  expect(await days.allInnerTexts()).toEqual([
    expect.stringMatching(/Mon, 5 Jan.* 09:00 UTC/),
    expect.stringMatching(/Tue, 6 Jan.* 09:00 UTC/),
  ]);
  await dialog.getByText("Skip days", { exact: true }).click();
  await dialog.getByLabel("Reason").fill("paid by hand");
  await expectAccessible(page, "the decision about all days");
  await dialog.getByRole("button", { name: "Skip all days" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Decide all 2 days" }).waitFor({ state: "detached" });
  expect(
    await sql("select state from occurrences where schedule_id = 'SCDECIDE' and day < '2026-02'"),
  ).toEqual([{ state: "skipped" }, { state: "skipped" }]);
  expectQuiet();
});

test("shows the weeks of the calendar from this week, and the earlier ones on request", async () => {
  const { page, open, expectQuiet, close } = await app.visitor(["uploader"]);
  const month = new Date().toISOString().slice(0, 7);
  await page.clock.setFixedTime(`${month}-20T12:00:00Z`);
  await open("/schedules");
  // The calendar opens at the month of the next run.
  await page.getByRole("button", { name: "This month" }).click();
  const first = page.locator(`time[datetime="${month}-01"]`);
  const earlier = page.getByRole("button", { name: "Show earlier weeks" });
  await page.locator(`time[datetime="${month}-20"]`).waitFor();
  expect(await first.count()).toBe(0);
  await earlier.click();
  await first.waitFor();
  expect(await earlier.count()).toBe(0);
  expectQuiet();
  await close();
});
