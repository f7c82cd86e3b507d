/** Edits of a schedule: no occurrence is paid twice or lost, and no edit overwrites another one. */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { editSchedule } from "#flows/schedule/edit-schedule.ts";
import { createOccurrenceBatch } from "#flows/schedule/occurrence.ts";
import { createSchedule, runSchedules, type ScheduleDeps } from "#flows/schedule/schedules.ts";
import { createLedger } from "#ledger/create-ledger.ts";
import { changeScheduleState, findOccurrences, findSchedules } from "#ledger/schedule/schedules.ts";
import type { Permission } from "#people/roles.ts";
import { ScheduleEdit, ScheduleInput } from "#schedule/schedule.ts";
import { ingestFile, openTestLedger, type TestLedger } from "../../support/ledger.ts";
import { fileText, rowsOf } from "../../support/servers/payrun.ts";
import { scheduleDeps } from "../../support/schedules.ts";

let open: TestLedger;
let deps: ScheduleDeps;
beforeAll(async () => {
  open = await openTestLedger();
  deps = scheduleDeps(open);
});
afterAll(() => open.close());

const CALENDAR = { rule: { every: "day" }, time: "09:00", zone: "Asia/Kolkata" };
/** Without a lead time, no occurrence becomes due by itself during a test. */
const HOURS = { lead_hours: 0, grace_hours: 4, expires_hours: 24 };

async function daily() {
  const { batch } = await ingestFile(open.ledger, fileText(rowsOf(3)));
  const given = ScheduleInput.parse({
    name: "salaries",
    calendar: CALENDAR,
    list: batch.id,
    ...HOURS,
  });
  const made = await createSchedule(given, "user:maker", deps);
  if (!made.ok) throw new Error(made.error.why);
  return { id: made.value, list: batch.id };
}
const personOf = (actor: string, ...permissions: Permission[]) => ({
  actor,
  permissions: new Set(permissions),
});
const EDITOR = personOf("user:editor", "operate");
type Daily = Awaited<ReturnType<typeof daily>>;

/** Edits a schedule of the test; `change` overrides its first settings. */
const edit = ({ id, list }: Daily, change: object, version = 1, editor = EDITOR) =>
  editSchedule(
    id,
    ScheduleEdit.parse({
      name: "salaries",
      calendar: CALENDAR,
      list,
      ...HOURS,
      version,
      ...change,
    }),
    editor,
    deps,
  );
const at = (time: string) => ({ calendar: { ...CALENDAR, time } });
const kept = async (id: string) => (await findOccurrences(open.database, [id], 50)).get(id) ?? [];
const statesOf = async (id: string) => (await kept(id)).map(({ state }) => state);
const settingsOf = async (id: string) => (await findSchedules(open.database, id))[0];
const comesInHours = (id: string, hours: number) =>
  sql`update occurrences set create_at = now(), send_at = now() + ${hours} * interval '1 hour'
    where schedule_id = ${id} and state = 'planned'`.execute(open.database);
const auditOf = async (id: string) =>
  (
    await sql<{ actor: string; facts: string }>`
      select actor, facts from audit where object = ${id} and action = 'edit_schedule' order by seq`.execute(
      open.database,
    )
  ).rows.map(({ actor, facts }) => ({ actor, facts: JSON.parse(facts) as unknown }));
const second = async () => (await ingestFile(open.ledger, fileText(rowsOf(2)))).batch.id;

test("plans the next occurrence again at the new time, once, and records before and after", async () => {
  const [schedule, beforeMs] = [await daily(), Date.now()];
  expect(await edit(schedule, at("10:30"))).toEqual({ ok: true, value: true });
  const [after, ...others] = await kept(schedule.id);
  expect(others).toEqual([]);
  expect(after).toMatchObject({ state: "planned", local: `${after?.day}T10:30` });
  // Possibly a day earlier than before: between 09:00 and 10:30 it moves from tomorrow to today.
  expect(Math.ceil((Number(after?.sendAt) - beforeMs) / 86_400_000)).toBe(1);
  const calendar = { holidays: null, shift: "none", ...CALENDAR };
  expect(await auditOf(schedule.id)).toEqual([
    {
      actor: "user:editor",
      facts: { before: { calendar }, after: { calendar: { ...calendar, time: "10:30" } } },
    },
  ]);
});

test("keeps an existing batch and its day when the time changes", async () => {
  const schedule = await daily();
  await comesInHours(schedule.id, 20);
  await runSchedules(deps);
  const [, made] = await kept(schedule.id);
  expect(
    await edit(schedule, { ...at("23:59"), list: await second(), lead_hours: 1 }),
  ).toMatchObject({ ok: true });
  await runSchedules(deps);
  const [next, same, ...others] = await kept(schedule.id);
  expect([same, others]).toEqual([made, []]);
  expect(String(next?.day) > String(made?.day)).toBe(true);
});

test("keeps a due occurrence due, with its time and list, and creates its batch once", async () => {
  const schedule = await daily();
  await comesInHours(schedule.id, 20);
  const [planned] = await kept(schedule.id);
  const list = await second();
  // Its time has come, but no process has made it due.
  expect(await edit(schedule, { ...at("11:00"), list })).toMatchObject({
    error: {
      kind: "occurrence_undecided",
      why: `The occurrence of ${planned?.day} has no batch yet. Create its batch or skip it first. No changes were made.`,
    },
  });
  expect(await edit(schedule, at("11:00"))).toMatchObject({ ok: true });
  expect(await statesOf(schedule.id)).toEqual(["planned", "due"]);
  await runSchedules(deps);
  const [, made] = await kept(schedule.id);
  expect(made).toMatchObject({ state: "created", day: planned?.day, sendAt: planned?.sendAt });
  const batch = await open.ledger.payout.findBatch({ id: made?.batchId ?? "" });
  expect(batch).toMatchObject({ rows: 3, maker: "user:maker" });
});

test("stores no batch from settings that were edited while it was being created", async () => {
  const schedule = await daily();
  await comesInHours(schedule.id, 20);
  await open.ledger.schedule.fireOccurrences();
  const stale = (await open.ledger.schedule.findDueOccurrences(200)).find(
    ({ id }) => id === schedule.id,
  );
  if (!stale) throw new Error("no occurrence is due");
  expect(await edit(schedule, { name: "wages" })).toMatchObject({ ok: true });
  await createOccurrenceBatch(stale, deps);
  expect(await statesOf(schedule.id)).toEqual(["due"]);
  await runSchedules(deps);
  const [, made] = await kept(schedule.id);
  const batch = await open.ledger.payout.findBatch({ id: made?.batchId ?? "" });
  expect(batch?.fileName).toBe(`wages ${made?.day}.csv`);
});

test("creates one batch per occurrence while edits and workers run at the same time", async () => {
  const schedule = await daily();
  await comesInHours(schedule.id, 20);
  const edits = [0, 1, 2].map((hour) => edit(schedule, { ...at(`1${hour}:00`), grace_hours: 9 }));
  const results = await Promise.all([...edits, runSchedules(deps), runSchedules(deps)]);
  const outcomes = results
    .slice(0, 3)
    .map((result) => (result && !result.ok ? result.error.kind : "ok"));
  expect(outcomes.toSorted()).toEqual(["content_changed", "content_changed", "ok"]);
  await runSchedules(deps);
  await runSchedules(deps);
  expect(await statesOf(schedule.id)).toEqual(["planned", "created"]);
  const [next] = await kept(schedule.id);
  const { calendar } = (await settingsOf(schedule.id)) ?? {};
  expect(next?.local.slice(11)).toBe(calendar?.time);
});

test("plans no occurrence of the old rule after an edit", async () => {
  const schedule = await daily();
  await sql`delete from occurrences where schedule_id = ${schedule.id}`.execute(open.database);
  const stale = (await open.ledger.schedule.findUnplanned(200)).find(
    ({ id }) => id === schedule.id,
  );
  if (!stale) throw new Error("an occurrence is planned");
  await edit(schedule, at("12:00"));
  await sql`update occurrences set state = 'skipped' where schedule_id = ${schedule.id}`.execute(
    open.database,
  );
  const old = {
    day: "2099-01-01",
    local: "2099-01-01T09:00",
    at: new Date("2099-01-01T03:30:00Z"),
  };
  await open.ledger.schedule.planOccurrence(stale, { ...old, zone: "Asia/Kolkata" });
  expect(await statesOf(schedule.id)).toEqual(["skipped"]);
});

test("reports the occurrences missed before the edit, when no process was running", async () => {
  const schedule = await daily();
  await sql`update schedules set updated_at = now() - interval '3 days' where id = ${schedule.id}`.execute(
    open.database,
  );
  await sql`delete from occurrences where schedule_id = ${schedule.id}`.execute(open.database);
  const monthly = { calendar: { ...CALENDAR, rule: { every: "month_end" } } };
  const repeated = await edit(schedule, monthly);
  const allow_repeat = repeated.ok ? "" : repeated.error.day;
  const skipped = await edit(schedule, { ...monthly, allow_repeat });
  const allow_skip = skipped.ok ? undefined : skipped.error.day;
  expect(await edit(schedule, { ...monthly, allow_repeat, allow_skip })).toMatchObject({
    ok: true,
  });
  await runSchedules(deps);
  const states = await statesOf(schedule.id);
  expect(states.filter((state) => state === "missed").length).toBeGreaterThanOrEqual(2);
  expect(states[0]).toBe("planned");
});

test("refuses an edit of a version that is no longer current, and repeats a saved one without effect", async () => {
  const schedule = await daily();
  expect(await edit(schedule, { name: "wages" })).toMatchObject({ ok: true });
  expect(await edit(schedule, { name: "wages" })).toMatchObject({ ok: true });
  expect(await edit(schedule, { name: "bonuses" })).toMatchObject({
    error: { kind: "content_changed" },
  });
  expect(await settingsOf(schedule.id)).toMatchObject({ name: "wages", version: 2 });
  expect(await auditOf(schedule.id)).toHaveLength(1);
});

test("follows the rules for two schedules of one list, except for the edited one", async () => {
  const first = await daily();
  const other = await daily();
  const { list } = first;
  expect(await edit(other, { list })).toMatchObject({ error: { kind: "schedule_exists" } });
  expect(await edit(other, { list, ...at("15:00") })).toMatchObject({
    error: { kind: "list_already_scheduled" },
  });
  expect(await edit(other, { list, ...at("15:00"), allow_second: true })).toMatchObject({
    ok: true,
  });
  expect(await auditOf(other.id)).toMatchObject([
    { facts: { after: { list, second_of: first.id } } },
  ]);
  expect(await edit(other, { list, ...at("15:00"), grace_hours: 9 }, 2)).toMatchObject({
    ok: true,
  });
});

test("refuses a removed schedule, an unknown list, an unusable folder and a rule without future days", async () => {
  const schedule = await daily();
  const kindOf = async (change: object) => {
    const result = await edit(schedule, change);
    return result.ok ? "ok" : result.error.kind;
  };
  expect(await kindOf({ list: "B0" })).toBe("not_found");
  expect(await kindOf({ list: undefined, folder: "none" })).toBe("folder_unusable");
  const once = { ...CALENDAR, rule: { every: "once", date: "2020-01-01" } };
  expect(await kindOf({ calendar: once })).toBe("time_passed");
  expect(await statesOf(schedule.id)).toEqual(["planned"]);
  const order = { id: schedule.id, how: "remove", reason: "over", actor: "user:ops" } as const;
  await changeScheduleState(open.database, { ...order, at: new Date() });
  expect(await kindOf({ name: "again" })).toBe("wrong_state");
});

test("keeps a paused schedule paused, and continues a finished one with a new rule", async () => {
  const schedule = await daily();
  const order = { id: schedule.id, reason: "a test", actor: "user:ops", at: new Date() };
  await changeScheduleState(open.database, { ...order, how: "pause" });
  expect(await edit(schedule, at("12:00"), 2)).toMatchObject({ ok: true });
  expect(await statesOf(schedule.id)).toEqual([]);
  await sql`update schedules set is_finished = true where id = ${schedule.id}`.execute(
    open.database,
  );
  await changeScheduleState(open.database, { ...order, how: "resume" });
  expect(await edit(schedule, at("13:00"), 4)).toMatchObject({ ok: true });
  expect(await statesOf(schedule.id)).toEqual(["planned"]);
});

test("counts everyone who edited a schedule as an editor of its later batches", async () => {
  const schedule = await daily();
  await edit(schedule, { name: "wages" });
  await edit(schedule, { name: "bonuses" }, 2);
  await comesInHours(schedule.id, 20);
  await runSchedules(deps);
  const [, made] = await kept(schedule.id);
  const { rows } = await sql<{ actor: string }>`
    select actor from batch_editors where batch_id = ${made?.batchId}`.execute(open.database);
  expect(rows.filter(({ actor }) => actor === "user:editor")).toHaveLength(1);
});

// The ledger freezes here, so this test is the last.
test("after a freeze, creates no batch that the lost history may have created after an edit", async () => {
  const [soon, later, edited] = [await daily(), await daily(), await daily()];
  const ledger = createLedger(open.database, open.sealer, systemClock);
  await ledger.integrity.freeze({ reason: "restored", actor: "cli:ops" });
  const created = await daily();
  const comesInDays = (id: string, days: number) =>
    sql`update occurrences set state = 'due', create_at = now() + interval '2 hours',
      send_at = now() + ${days} * interval '1 day' where schedule_id = ${id} and state = 'planned'`.execute(
      open.database,
    );
  for (const each of [soon, edited])
    expect(await edit(each, { ...at("10:00"), lead_hours: 1 })).toMatchObject({ ok: true });
  await comesInDays(soon.id, 29);
  for (const { id } of [later, edited, created]) await comesInDays(id, 31);
  await runSchedules(deps);
  await runSchedules(deps);
  for (const { id } of [soon, later])
    expect((await kept(id)).at(-1)).toMatchObject({ state: "missed" });
  for (const { id } of [edited, created])
    expect((await kept(id)).at(-1)).toMatchObject({ state: "created" });
  await comesInDays(later.id, 32);
  await runSchedules(deps);
  expect((await statesOf(later.id)).slice(-2)).toEqual(["created", "missed"]);
});
