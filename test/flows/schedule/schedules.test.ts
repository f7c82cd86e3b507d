/** From a rule to its batches: fired once, created once, missed and decided, over PostgreSQL. */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { approve, totalsOf } from "#flows/approval/approve.ts";
import { scheduleDocuments } from "#views/schedule/schedule-document.ts";
import { monthDocument } from "#views/schedule/schedule-month.ts";
import { createSchedule, runSchedules, type ScheduleDeps } from "#flows/schedule/schedules.ts";
import { RequestSlots } from "#flows/request-slots.ts";
import { openDatabase } from "#ledger/store/database.ts";
import { createLedger } from "#ledger/create-ledger.ts";
import { decideOccurrence } from "#ledger/schedule/occurrences.ts";
import {
  findOccurrences,
  type ScheduleAction,
  changeScheduleState,
} from "#ledger/schedule/schedules.ts";
import { findSendTimes } from "#ledger/schedule/send-times.ts";
import { ScheduleInput } from "#schedule/schedule.ts";
import { claimOf, openTestLedger, ingestFile, type TestLedger } from "../../support/ledger.ts";
import { fileText, rowsOf } from "../../support/servers/payrun.ts";
import { scheduleDeps } from "../../support/schedules.ts";

let open: TestLedger;
let deps: ScheduleDeps;
beforeAll(async () => {
  open = await openTestLedger();
  deps = scheduleDeps(open);
});
afterAll(() => open.close());

async function daily(by = deps, rows = rowsOf(3)) {
  const { batch } = await ingestFile(open.ledger, fileText(rows));
  const calendar = { rule: { every: "day" }, time: "09:00", zone: "Asia/Kolkata" };
  const given = ScheduleInput.parse({ name: "salaries", calendar, list: batch.id });
  const made = await createSchedule(given, "user:maker", by);
  if (!made.ok) throw new Error(made.error.why);
  return { id: made.value, list: batch.id };
}
const kept = async (id: string) => (await findOccurrences(open.database, [id], 20)).get(id) ?? [];
/** The planned occurrence is this many hours away, and its batch is due to be created. */
const comesInHours = (id: string, hours: number) =>
  sql`update occurrences set create_at = now(), send_at = now() + ${hours} * interval '1 hour'
    where schedule_id = ${id} and state = 'planned'`.execute(open.database);

test("F66 creates one batch per due occurrence with new codes, its time and its maker, however many processes run", async () => {
  const { id, list } = await daily();
  await comesInHours(id, 20);
  const other = () => ({ ...deps, creating: new RequestSlots(1) });
  await Promise.all([runSchedules(deps), runSchedules(other()), runSchedules(other())]);
  await runSchedules(deps);
  const [next, first, ...others] = await kept(id);
  expect([next?.state, first?.state, others]).toEqual(["planned", "created", []]);
  const { ledger, database } = open;
  const made = await ledger.payout.findBatch({ id: first?.batchId ?? "" });
  expect(made).toMatchObject({ state: "awaiting_approval", maker: "user:maker", rows: 3 });
  const { rows } = await sql<{ batches: number; codes: number }>`
    select count(distinct p.batch_id)::int as batches, count(distinct d.transaction_code)::int as codes
    from payouts p join payout_details d on d.payout_id = p.id
    where p.batch_id in (${list}, ${made?.id})`.execute(database);
  expect(rows).toEqual([{ batches: 2, codes: 6 }]);
  expect((await findSendTimes(database, [made?.id ?? ""])).get(made?.id ?? "")).toMatchObject({
    at: first?.sendAt,
    releasedAt: null,
  });
});

test("creates one batch at a time per process from several lists, and continues with few connections", async () => {
  const database = openDatabase(open.url, 3);
  const ledger = createLedger(database, open.sealer, systemClock);
  const few = { ...deps, database, ledger };
  // More rows than one page of the list.
  const rows = rowsOf(2_001);
  const ids = [(await daily(deps, rows)).id, (await daily(deps, rows)).id];
  for (const id of ids) await comesInHours(id, 20);
  await Promise.all([runSchedules(few), runSchedules(few)]);
  const states = await Promise.all(
    ids.map(async (id) => (await kept(id)).map(({ state }) => state)),
  );
  expect(states).toEqual([
    ["planned", "created"],
    ["planned", "created"],
  ]);
  await database.destroy();
});

test("sends an early approved batch at the occurrence's time", async () => {
  const { id } = await daily();
  await comesInHours(id, 20);
  await runSchedules(deps);
  const batchId = (await kept(id))[1]?.batchId ?? "";
  const batch = await open.ledger.payout.findBatch({ id: batchId });
  if (!batch) throw new Error("no batch was made");
  const word = { actor: "checker", contentDigest: batch.contentDigest, totals: totalsOf(batch) };
  expect(await approve(batchId, word, { ledger: open.ledger })).toMatchObject({ ok: true });
  expect(await open.ledger.payout.openAttempts(claimOf(batchId))).toEqual([]);
});

test("shows a created batch in the month on its send date, even rescheduled or without its schedule", async () => {
  const { id } = await daily();
  await comesInHours(id, 20);
  await runSchedules(deps);
  const batchId = (await kept(id))[1]?.batchId ?? "";
  const { database } = open;
  const month = "2098-08";
  const shown = async () => {
    const bankDays = { holidays: new Map(), cutOffs: new Map() };
    const { days } = await monthDocument(month, { database, bankDays, now: new Date() });
    return days.flatMap(({ times }) => times.filter(({ batch_id }) => batch_id === batchId));
  };
  expect(await shown()).toEqual([]);
  await sql`update send_times set send_at = '2098-08-18T03:30:00Z', local = '2098-08-18T09:00'
    where batch_id = ${batchId}`.execute(database);
  const putOff = { says: "2098-08-18 09:00 Asia/Kolkata", name: "salaries", schedule_id: id };
  expect(await shown()).toMatchObject([{ ...putOff, state: "unapproved" }]);
  const order = {
    id,
    how: "remove",
    reason: "over",
    actor: "user:operator",
    at: new Date(),
  } as const;
  expect(await changeScheduleState(database, order)).toBe(true);
  expect(await shown()).toMatchObject([{ ...putOff, state: "unapproved" }]);
});

test("F66 keeps the batch created before a crash as the batch of its occurrence", async () => {
  const { id } = await daily();
  await comesInHours(id, 20);
  await runSchedules(deps);
  const before = (await kept(id))[1]?.batchId;
  await sql`update occurrences set state = 'due', batch_id = null where batch_id = ${before}`.execute(
    open.database,
  );
  await runSchedules(deps);
  expect((await kept(id))[1]).toMatchObject({ state: "created", batchId: before });
});

test("F67 misses an occurrence beyond its grace period and creates nothing until a person decides", async () => {
  const { id } = await daily();
  await comesInHours(id, -5);
  await runSchedules(deps);
  const [, missed] = await kept(id);
  expect(missed).toMatchObject({ state: "missed", batchId: null });
  const word = {
    id,
    day: missed?.day ?? "",
    reason: "pay them",
    actor: "user:ops",
    at: new Date(),
  };
  const decide = (said: "create" | "skip") =>
    decideOccurrence(open.database, { ...word, decision: said });
  expect([await decide("create"), await decide("create")]).toEqual([true, false]);
  await runSchedules(deps);
  expect((await kept(id))[1]).toMatchObject({ state: "created", why: null });
});

test("counts the uploader and the editors of the list as involved in each batch, along with the schedule's maker", async () => {
  const { id, list } = await daily();
  const { database } = open;
  await sql`insert into batch_editors (batch_id, actor) values (${list}, 'user:editor')`.execute(
    database,
  );
  await comesInHours(id, 20);
  await runSchedules(deps);
  const [, made] = await kept(id);
  const { rows } = await sql<{ actor: string }>`
    select actor from batch_editors where batch_id = ${made?.batchId} order by 1`.execute(database);
  const uploaded = await open.ledger.payout.findBatch({ id: list });
  expect(rows.map(({ actor }) => actor)).toEqual([uploaded?.maker, "user:editor"]);
});

test("fails with the reason when no row of the list passes any more, and keeps the schedule running", async () => {
  const { id, list } = await daily();
  await comesInHours(id, 20);
  await sql`update batches set facts = jsonb_set(facts, '{header}', '["nothing"]') where id = ${list}`.execute(
    open.database,
  );
  await runSchedules(deps);
  expect((await kept(id)).map(({ state }) => state)).toEqual(["planned", "failed"]);
});

const steer = (id: string, how: ScheduleAction) =>
  changeScheduleState(open.database, {
    id,
    how,
    reason: "a test",
    actor: "user:ops",
    at: new Date(),
  });

test("creates nothing while paused, plans again when resumed, and stops when removed", async () => {
  const { id } = await daily();
  await comesInHours(id, 20);
  expect([await steer(id, "pause"), await steer(id, "pause")]).toEqual([true, false]);
  await runSchedules(deps);
  expect(await kept(id)).toEqual([]);
  await steer(id, "resume");
  await runSchedules(deps);
  expect((await kept(id)).map(({ state }) => state)).toEqual(["planned"]);
  await steer(id, "remove");
  await runSchedules(deps);
  expect(await kept(id)).toEqual([]);
});

test("keeps planned occurrences when holidays change, and continues the rule after them", async () => {
  const calendar = {
    rule: { every: "last_working_day" },
    time: "09:00",
    zone: "Asia/Kolkata",
    holidays: "INR",
  };
  const { batch } = await ingestFile(open.ledger, fileText(rowsOf(1)));
  const given = ScheduleInput.parse({ name: "month ends", calendar, list: batch.id });
  const made = await createSchedule(given, "user:maker", deps);
  const id = made.ok ? made.value : "";
  const shown = async (closed: readonly string[]) => {
    const bankDays = { holidays: new Map([["INR", new Set(closed)]]), cutOffs: new Map() };
    const sources = { database: open.database, bankDays, now: new Date() };
    const [document] = await scheduleDocuments(id, 5, sources);
    return document;
  };
  const before = await shown([]);
  const days = before?.next.map(({ says }) => says.slice(0, 10)) ?? [];
  const after = await shown(days.slice(0, 2));
  expect(after?.next[0]).toEqual(before?.next[0]);
  expect(after?.next[0]?.says).toBe(after?.occurrences[0]?.says);
  const months = after?.next.map(({ says }) => says.slice(0, 7));
  expect(months).toEqual(days.map((day) => day.slice(0, 7)));
  expect(String(after?.next[1]?.says) < String(days[1])).toBe(true);
});

test("refuses a second schedule with the same list and times from anyone, unless the first was removed", async () => {
  const { id, list } = await daily();
  const make = (by: string, other: object = {}, second = true) => {
    const calendar = { zone: "Asia/Kolkata", time: "09:00", rule: { every: "day" }, ...other };
    return createSchedule(
      ScheduleInput.parse({ name: "wages", calendar, list, allow_second: second }),
      by,
      deps,
    );
  };
  expect(await make("user:other")).toMatchObject({ error: { kind: "schedule_exists" } });
  for (const other of [{ time: "10:00" }, { holidays: "INR" }, { shift: "before" }]) {
    const why = expect.stringContaining(": Every day at 09:00 Asia/Kolkata. With both schedules");
    const error = { kind: "list_already_scheduled", why };
    expect(await make("user:other", other, false)).toEqual({ ok: false, error });
  }
  expect(await make("user:other", { time: "10:00" })).toMatchObject({ ok: true });
  await steer(id, "remove");
  const both = await Promise.all([make("user:one"), make("user:two")]);
  expect(both.filter(({ ok }) => ok)).toHaveLength(1);
});

test("starts a schedule by the ledger's clock, whatever the maker's machine says", async () => {
  const clock = { ...systemClock, nowMs: () => systemClock.nowMs() - 40 * 86_400_000 };
  const { id } = await daily({ ...deps, clock });
  const [first] = await kept(id);
  expect(first?.sendAt.getTime()).toBeGreaterThan(systemClock.nowMs());
});

// The ledger freezes here. The tests below run after that.
test("counts occurrences before a freeze as missed, because the lost history may have paid them", async () => {
  const { id } = await daily();
  await comesInHours(id, 20);
  // The lost history created this one as well: the server of the restore is 50 minutes slow.
  const soon = await daily();
  await sql`update occurrences set create_at = now() + interval '50 minutes' where schedule_id = ${soon.id}`.execute(
    open.database,
  );
  // The clock of the machine that freezes the ledger does not count either.
  const slow = { ...systemClock, nowMs: () => systemClock.nowMs() - 86_400_000 };
  const ledger = createLedger(open.database, open.sealer, slow);
  await ledger.integrity.freeze({ reason: "restored", actor: "cli:ops" });
  await sql`update occurrences set state = 'due' where schedule_id = ${soon.id}`.execute(
    open.database,
  );
  await runSchedules(deps);
  expect((await kept(soon.id)).at(-1)).toMatchObject({ state: "missed" });
  const [, missed] = await kept(id);
  expect(missed).toMatchObject({
    state: "missed",
    why: expect.stringContaining("The ledger has been restored."),
  });
  const word = {
    id,
    day: missed?.day ?? "",
    reason: "not paid",
    actor: "user:ops",
    at: new Date(),
  };
  await decideOccurrence(open.database, { ...word, decision: "create" });
  await runSchedules(deps);
  expect((await kept(id))[1]).toMatchObject({ state: "created" });
});
