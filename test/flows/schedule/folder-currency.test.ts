/** Files without a currency column in a watched folder. */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { editSchedule } from "#flows/schedule/edit-schedule.ts";
import { createSchedule, runSchedules, type ScheduleDeps } from "#flows/schedule/schedules.ts";
import { findOccurrences, findSchedules } from "#ledger/schedule/schedules.ts";
import { ScheduleEdit, ScheduleInput } from "#schedule/schedule.ts";
import { openTestLedger, type TestLedger } from "../../support/ledger.ts";
import { fileText, rowsOf, scratch } from "../../support/servers/payrun.ts";
import { scheduleDeps } from "../../support/schedules.ts";

const root = scratch();
let open: TestLedger;
let deps: ScheduleDeps;
beforeAll(async () => {
  open = await openTestLedger();
  deps = scheduleDeps(open, root);
});
afterAll(() => open.close());

const CALENDAR = { rule: { every: "day" }, time: "09:00", zone: "Asia/Kolkata" };

/** A folder, and a daily schedule for it whose next time has come. */
async function watched(folder: string, more: { readonly currency?: string } = {}) {
  const path = join(root, folder);
  mkdirSync(path);
  const given = ScheduleInput.parse({ name: "salaries", calendar: CALENDAR, folder, ...more });
  const made = await createSchedule(given, "user:maker", deps);
  if (!made.ok) throw new Error(made.error.why);
  await sql`update occurrences set create_at = now(), send_at = now() + interval '20 hours'
    where schedule_id = ${made.value} and state = 'planned'`.execute(open.database);
  const put = (name: string, text: string) => writeFileSync(join(path, name), text);
  return { id: made.value, path, put };
}

/** Returns the occurrence after a minute in which the folder did not change. */
async function quietly(id: string) {
  for (let round = 0; round < 2; round += 1) {
    await sql`update occurrences set next_check_at = null, seen_at = seen_at - interval '1 minute'
      where schedule_id = ${id} and state = 'due'`.execute(open.database);
    await runSchedules(deps);
  }
  const kept = (await findOccurrences(open.database, [id], 20)).get(id) ?? [];
  return kept.find(({ state }) => state !== "planned");
}

test("reads a file without a currency column when the schedule names the currency", async () => {
  const { id, path, put } = await watched("thai");
  const [header = "", ...lines] = fileText(rowsOf(3)).trim().split("\n");
  const place = header.split(",").indexOf("currency_code");
  const without = (line: string) => line.split(",").toSpliced(place, 1).join(",");
  const bare = [header, ...lines].map(without).join("\n");
  put("wages.csv", bare);
  expect(await quietly(id)).toMatchObject({
    state: "failed",
    why: expect.stringMatching(/no column for the currency.*still in the folder/),
  });
  expect(readdirSync(path)).toEqual(["wages.csv"]);

  const save = async (currency: string) => {
    const [found] = await findSchedules(open.database, id);
    const { calendar, version } = found as NonNullable<typeof found>;
    const hours = { lead_hours: 24, grace_hours: 4, expires_hours: 24 };
    const edit = ScheduleEdit.parse({
      name: "s 1",
      calendar,
      folder: "thai",
      currency,
      version,
      ...hours,
    });
    const editor = { actor: "user:ops", permissions: new Set(["operate"] as const) };
    return editSchedule(id, edit, editor, deps);
  };
  expect(await save("INR")).toEqual({ ok: true, value: true });
  const created = await quietly(id);
  expect(created).toMatchObject({ state: "created" });
  const batch = await open.ledger.payout.findBatch({ id: created?.batchId ?? "" });
  expect(batch?.facts.reading).toMatchObject({ currency: "INR", added: 1 });
  expect(batch?.facts.notes.map(({ code }) => code)).toContain("currency_of_all_rows");
});

test("refuses a file with a currency column if the schedule names the currency", async () => {
  const { id, path, put } = await watched("indian", { currency: "INR" });
  put("wages.csv", fileText(rowsOf(2)));
  expect(await quietly(id)).toMatchObject({
    state: "failed",
    why: expect.stringMatching(/chose INR.*settings of the schedule/),
  });
  expect(readdirSync(path)).toEqual(["failed"]);
  const list = ScheduleInput.safeParse({
    name: "wages",
    calendar: CALENDAR,
    list: "B1",
    currency: "INR",
  });
  expect(list.error?.issues).toMatchObject([{ path: ["currency"] }]);
});
