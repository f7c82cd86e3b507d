/** The effects of an edit on people, files, times and other transactions of its schedule. */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { editSchedule } from "#flows/schedule/edit-schedule.ts";
import { createOccurrenceBatch } from "#flows/schedule/occurrence.ts";
import { createSchedule, runSchedules, type ScheduleDeps } from "#flows/schedule/schedules.ts";
import { changeScheduleState, findOccurrences, findSchedules } from "#ledger/schedule/schedules.ts";
import { findSendTimes } from "#ledger/schedule/send-times.ts";
import type { Permission } from "#people/roles.ts";
import { Calendar, WEEKDAYS } from "#schedule/calendar.ts";
import { ScheduleEdit, ScheduleInput } from "#schedule/schedule.ts";
import { scheduleDocuments } from "#views/schedule/schedule-document.ts";
import { monthDocument } from "#views/schedule/schedule-month.ts";
import { previewDocument } from "#views/schedule/schedule-preview.ts";
import { eventually } from "../../support/servers/eventually.ts";
import { ingestFile, openTestLedger, type TestLedger } from "../../support/ledger.ts";
import { scheduleDeps } from "../../support/schedules.ts";
import { fileText, rowsOf, scratch } from "../../support/servers/payrun.ts";

const root = scratch();
let open: TestLedger;
let deps: ScheduleDeps;
beforeAll(async () => {
  open = await openTestLedger();
  deps = scheduleDeps(open, root);
});
afterAll(() => open.close());

const CALENDAR = Calendar.parse({ rule: { every: "day" }, time: "09:00", zone: "Asia/Kolkata" });
const HOURS = { lead_hours: 0, grace_hours: 4, expires_hours: 24 };
const newList = async () => (await ingestFile(open.ledger, fileText(rowsOf(2)))).batch.id;

type Source = { readonly list: string } | { readonly folder: string };
async function daily(given?: Source): Promise<{ readonly id: string; readonly source: Source }> {
  const source = given ?? { list: await newList() };
  const input = ScheduleInput.parse({ name: "wages", calendar: CALENDAR, ...source, ...HOURS });
  const made = await createSchedule(input, "user:maker", deps);
  if (!made.ok) throw new Error(made.error.why);
  return { id: made.value, source };
}
type Daily = Awaited<ReturnType<typeof daily>>;

const person = (actor: string, ...permissions: Permission[]) => ({
  actor,
  permissions: new Set(permissions),
});
const OPERATOR = person("user:ops", "operate");

/** Edits a schedule; returns "ok" or the refusal. */
async function edit({ id, source }: Daily, change: object, editor = OPERATOR): Promise<string> {
  const [current] = await findSchedules(open.database, id);
  const { calendar, version } = current ?? {};
  const given = { name: "wages", calendar, ...source, ...HOURS, version, ...change };
  const result = await editSchedule(id, ScheduleEdit.parse(given), editor, deps);
  return result.ok ? "ok" : result.error.kind;
}

const kept = async (id: string) => (await findOccurrences(open.database, [id], 50)).get(id) ?? [];
const latest = async (id: string) => (await kept(id)).find(({ state }) => state !== "planned");
const fire = (id: string) =>
  sql`update occurrences set create_at = now(), send_at = now() + interval '20 hours'
    where schedule_id = ${id} and state = 'planned'`.execute(open.database);
const dueOf = async (id: string) => {
  await open.ledger.schedule.fireOccurrences();
  const due = (await open.ledger.schedule.findDueOccurrences(200)).find((each) => each.id === id);
  if (!due) throw new Error("no occurrence is due");
  return due;
};
const sources = () => ({
  database: open.database,
  bankDays: { holidays: new Map(), cutOffs: new Map() },
  now: new Date(),
});
const dayAfter = (day: string, days: number) =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
/** A weekly rule for the weekday of a date. */
const weeklyOn = (day: string) => ({
  ...CALENDAR,
  rule: { every: "week" as const, on: [WEEKDAYS[(new Date(day).getUTCDay() + 6) % 7] ?? "mon"] },
});

test("an occurrence keeps its zone and its send time when the zone of its schedule is edited", async () => {
  const schedule = await daily();
  const { id } = schedule;
  await fire(id);
  const due = await dueOf(id);
  expect(await edit(schedule, { calendar: { ...CALENDAR, zone: "America/New_York" } })).toBe("ok");
  const says = `${due.local.replace("T", " ")} Asia/Kolkata`;
  const [shown] = await scheduleDocuments(id, 50, sources());
  const listed = shown?.occurrences.find(({ day }) => day === due.day);
  expect(listed).toMatchObject({ says, at: due.sendAt.toISOString() });
  expect(shown?.next).toContainEqual(expect.objectContaining({ says }));
  const month = await monthDocument(due.local.slice(0, 7), sources());
  const times = month.days.flatMap((day) => day.times).filter((each) => each.schedule_id === id);
  expect(times.filter(({ state }) => state === "due")).toMatchObject([{ says }]);
  await runSchedules(deps);
  const batchId = (await latest(id))?.batchId ?? "";
  const sendTime = (await findSendTimes(open.database, [batchId])).get(batchId);
  const { local, sendAt: at } = due;
  expect(sendTime).toMatchObject({ local, zone: "Asia/Kolkata", at });
});

test("only the maker and operators may edit a schedule", async () => {
  const schedule = await daily();
  expect(await edit(schedule, { name: "pay" }, person("user:other", "upload"))).toBe("forbidden");
  expect(await edit(schedule, { name: "pay" }, person("user:maker", "read"))).toBe("forbidden");
  expect(await findSchedules(open.database, schedule.id)).toMatchObject([{ version: 1 }]);
  expect(await edit(schedule, { name: "pay" }, person("user:maker", "upload"))).toBe("ok");
  expect(await edit(schedule, { name: "wages" })).toBe("ok");
});

test("an edit that pays a period again or skips an occurrence needs a confirmation, as previewed", async () => {
  const schedule = await daily();
  const { id } = schedule;
  await fire(id);
  await runSchedules(deps);
  const [planned] = await kept(id);
  const calendar = weeklyOn(dayAfter(planned?.day ?? "", 1));
  const preview = await previewDocument(
    { calendar: Calendar.parse(calendar), list: null, schedule: id, leadHours: 0 },
    sources(),
  );
  const { repeats, skips } = preview;
  expect(repeats?.why).toContain("The schedule already has an occurrence at");
  expect(repeats?.why).toContain(`it also pays on ${repeats?.day}.`);
  expect(skips?.why).toContain(`The occurrence planned for ${skips?.day} 09:00`);
  const [allow_repeat, allow_skip] = [repeats?.day, skips?.day];
  expect(await edit(schedule, { calendar })).toBe("period_repeated");
  expect(await edit(schedule, { calendar, allow_repeat: allow_skip })).toBe("period_repeated");
  expect(await edit(schedule, { calendar, allow_repeat })).toBe("occurrence_skipped");
  expect(await edit(schedule, { calendar, allow_repeat, allow_skip: allow_repeat })).toBe(
    "occurrence_skipped",
  );
  expect(await kept(id)).toMatchObject([planned ?? {}, { state: "created" }]);
  expect(await edit(schedule, { calendar, allow_repeat, allow_skip })).toBe("ok");
  const { rows } = await sql<{ facts: string }>`
    select facts from audit where object = ${id} and action = 'edit_schedule'`.execute(
    open.database,
  );
  expect(rows.map(({ facts }) => JSON.parse(facts))).toMatchObject([
    { confirmed: [repeats?.why, skips?.why] },
  ]);
});

test("asks before it pays more often than the last two batches, even after an edit", async () => {
  const schedule = await daily();
  const { id } = schedule;
  for (const days of [40, 10]) {
    await sql`insert into occurrences (schedule_id, day, local, zone, send_at, create_at, state, batch_id)
      select ${id}, day, day || 'T09:00', 'Asia/Kolkata', day::timestamptz, day::timestamptz, 'created', ${await newList()}
      from (select (now() - ${days} * interval '1 day')::date::text as day) d`.execute(
      open.database,
    );
  }
  const [planned] = await kept(id);
  expect(await edit(schedule, { calendar: weeklyOn(planned?.day ?? "") })).toBe("period_repeated");
});

test("asks before it pays the period of an occurrence that was skipped", async () => {
  const schedule = await daily();
  const { id } = schedule;
  await sql`update occurrences set state = 'skipped' where schedule_id = ${id}`.execute(
    open.database,
  );
  const [skipped] = await kept(id);
  expect(await edit(schedule, { calendar: weeklyOn(dayAfter(skipped?.day ?? "", 1)) })).toBe(
    "period_repeated",
  );
});

test("the preview keeps an occurrence that is due, or that the edit makes due", async () => {
  const { id } = await daily();
  await fire(id);
  const [due] = await kept(id);
  const calendar = Calendar.parse(weeklyOn(dayAfter(due?.day ?? "", 1)));
  const rule = { calendar, list: null, schedule: id, leadHours: 0 };
  const before = await previewDocument(rule, sources());
  expect(before.next[0]?.at).toBe(due?.sendAt.toISOString());
  expect(before.repeats?.why).toContain(due?.local.replace("T", " "));
  await open.ledger.schedule.fireOccurrences();
  expect(await previewDocument(rule, sources())).toEqual(before);
});

test.each(["due", "missed", "failed"])(
  "an edit of the list waits for a decision about an occurrence that is %s",
  async (state) => {
    const schedule = await daily();
    const { id } = schedule;
    const list = await newList();
    await sql`update occurrences set state = ${state} where schedule_id = ${id}`.execute(
      open.database,
    );
    expect(await edit(schedule, { list })).toBe("occurrence_undecided");
    await sql`update occurrences set state = 'skipped' where schedule_id = ${id}`.execute(
      open.database,
    );
    expect(await edit(schedule, { list })).toBe("ok");
  },
);

test("an unreadable file stays in its folder if the schedule was edited meanwhile", async () => {
  const folder = join(root, "bonuses");
  mkdirSync(folder);
  writeFileSync(join(folder, "bad.csv"), "no,columns\n1,2\n");
  const schedule = await daily({ folder: "bonuses" });
  const { id } = schedule;
  await fire(id);
  const quietly = sql`update occurrences set next_check_at = null, seen_at = seen_at - interval '1 minute'
    where schedule_id = ${id} and state = 'due'`;
  await runSchedules(deps);
  await quietly.execute(open.database);
  const stale = await dueOf(id);
  expect(stale.isQuiet).toBe(true);
  expect(await edit(schedule, { grace_hours: 9 })).toBe("ok");
  await createOccurrenceBatch(stale, deps);
  expect(await latest(id)).toMatchObject({ state: "due" });
  expect(readdirSync(folder)).toContain("bad.csv");
  await runSchedules(deps);
  expect(await latest(id)).toMatchObject({ state: "failed" });
  expect(readdirSync(folder)).not.toContain("bad.csv");
});

test("a schedule can be removed while its batch is being created", async () => {
  const { id } = await daily();
  await fire(id);
  const due = await dueOf(id);
  let creating = Promise.resolve();
  await open.database.transaction().execute(async (transaction) => {
    await sql`select id from schedules where id = ${id} for update`.execute(transaction);
    creating = createOccurrenceBatch(due, deps);
    await eventually("the lock that the creation waits for", async () => {
      const { rows } = await sql`select pid from pg_locks where not granted`.execute(open.database);
      return rows.length > 0;
    });
    const order = { id, how: "remove", reason: "over", actor: "user:ops" } as const;
    await changeScheduleState(transaction, { ...order, at: new Date() });
  });
  await creating;
  expect(await kept(id)).toMatchObject([{ state: "skipped", batchId: null }]);
});
