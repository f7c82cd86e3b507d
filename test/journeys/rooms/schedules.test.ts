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
  await page.getByLabel("Approval expires after (hours)").fill("12");
  await page.getByRole("combobox", { name: /^Time zone/ }).fill("India");
  await page
    .getByText("The rule is incomplete. Required: a time zone such as Asia/Kolkata.")
    .waitFor();
  await page.getByRole("checkbox", { name: day.slice(0, 3) }).uncheck();
  await page
    .getByText("The rule is incomplete. Required: at least one day of the week; a time zone")
    .waitFor();
  await page.getByRole("checkbox", { name: day.slice(0, 3) }).check();
  await page.getByRole("combobox", { name: /^Time zone/ }).fill(" Asia/Kolkata ");
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
    expect.stringMatching(/Mon.*2026.* 09:00 UTC/),
    expect.stringMatching(/Tue.*2026.* 09:00 UTC/),
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
