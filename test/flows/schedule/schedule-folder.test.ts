/**
 * A schedule with a file from a folder: when it is taken, when it is not, and the state after a
 * crash.
 */
import { mkdirSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { editSchedule } from "#flows/schedule/edit-schedule.ts";
import { createSchedule, runSchedules, type ScheduleDeps } from "#flows/schedule/schedules.ts";
import { RequestSlots } from "#flows/request-slots.ts";
import { openFoldersIn } from "#schedule/folder/watched-folder.ts";
import { decideOccurrence } from "#ledger/schedule/occurrences.ts";
import { findOccurrences, findSchedules } from "#ledger/schedule/schedules.ts";
import { formatMoney } from "#money/format.ts";
import { ScheduleEdit, ScheduleInput } from "#schedule/schedule.ts";
import { openTestLedger, ingestFile, type TestLedger } from "../../support/ledger.ts";
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

let folders = 0;
/** A folder, and a daily schedule for it whose next time is this many hours away. */
async function watched(hours = 20) {
  folders += 1;
  const folder = `salaries-${folders}`;
  const path = join(root, folder);
  mkdirSync(path);
  const calendar = { rule: { every: "day" }, time: "09:00", zone: "Asia/Kolkata" };
  const given = ScheduleInput.parse({ name: "salaries", calendar, folder });
  const made = await createSchedule(given, "user:maker", deps);
  if (!made.ok) throw new Error(made.error.why);
  const id = made.value;
  await comes(id, hours);
  const put = (name: string, text: string) => writeFileSync(join(path, name), text);
  return { id, folder, path, put };
}
const comes = (id: string, hours: number) =>
  sql`update occurrences set create_at = now(), send_at = now() + ${hours} * interval '1 hour'
    where schedule_id = ${id} and state = 'planned'`.execute(open.database);
const someText = () => fileText(rowsOf(3));

async function latest(id: string) {
  const kept = (await findOccurrences(open.database, [id], 20)).get(id) ?? [];
  const [last] = kept.filter(({ state }) => state !== "planned");
  if (!last) throw new Error("nothing has fired");
  return last;
}
const look = async (id: string, by = deps) => {
  await runSchedules(by);
  return latest(id);
};
/** A minute has passed since the last look, and the folder is checked again. */
async function minuteLater(id: string, by = deps) {
  await sql`update occurrences set next_check_at = null, seen_at = seen_at - interval '1 minute'
    where schedule_id = ${id} and state = 'due'`.execute(open.database);
  return look(id, by);
}
/** One look, a minute without changes, and another look. */
async function quietly(id: string, by = deps) {
  await minuteLater(id, by);
  return minuteLater(id, by);
}
async function decide(id: string, decision: "create" | "skip") {
  const { day } = await latest(id);
  const order = { id, day, decision, reason: "asked to", actor: "user:ops", at: new Date() };
  return decideOccurrence(open.database, order);
}

test("makes one batch with its send time from a complete file, requests approval, and moves the file to done", async () => {
  const { id, path, put } = await watched();
  expect(await look(id)).toMatchObject({
    state: "due",
    why: expect.stringContaining("contains no .csv or .xlsx file"),
  });
  put("november.csv", someText());
  expect(await quietly(id)).toMatchObject({ state: "created", why: null });
  const { batchId, sendAt, day } = await latest(id);
  const { rows } = await sql`
    select b.maker, b.state, b.file_name as file, b.approval_requested_by as by, s.send_at as at
    from batches b join send_times s on s.batch_id = b.id where b.id = ${batchId}`.execute(
    open.database,
  );
  expect(rows).toEqual([
    {
      maker: "user:maker",
      state: "awaiting_approval",
      file: "november.csv",
      by: "user:maker",
      at: sendAt,
    },
  ]);
  expect(readdirSync(path)).toEqual(["done"]);
  expect(readdirSync(join(path, "done"))).toEqual([`${day} ${batchId} november.csv`]);
});

test("does not take a file that is still being written", async () => {
  const { id, put } = await watched();
  const lines = someText().split("\n");
  put("november.csv", lines.slice(0, 2).join("\n"));
  await look(id);
  put("november.csv", lines.join("\n"));
  expect(await minuteLater(id)).toMatchObject({ state: "due" });
  expect(await minuteLater(id)).toMatchObject({ state: "created" });
});

test("misses an occurrence when no file arrives in the grace period, and leaves a late file to a person's decision", async () => {
  const { id, path, put } = await watched(-5);
  expect(await look(id)).toMatchObject({ state: "missed" });
  put("late.csv", someText());
  await look(id);
  expect(readdirSync(path)).toEqual(["late.csv"]);
  await decide(id, "create");
  expect(await quietly(id)).toMatchObject({ state: "created" });
});

test("misses an occurrence again when a person approves it without a file", async () => {
  const { id } = await watched(-5);
  await look(id);
  await decide(id, "create");
  expect(await look(id)).toMatchObject({
    state: "missed",
    why: expect.stringContaining("contains no .csv or .xlsx file"),
  });
});

test("takes neither of two files until a person has removed one", async () => {
  const { id, path, put } = await watched();
  put("a.csv", someText());
  put("b.csv", someText());
  expect(await quietly(id)).toMatchObject({
    state: "failed",
    why: expect.stringContaining("a.csv, b.csv"),
  });
  renameSync(join(path, "b.csv"), join(path, "b.old"));
  await decide(id, "create");
  expect(await quietly(id)).toMatchObject({ state: "created" });
});

test("creates no second batch from a file that was uploaded before", async () => {
  const { id, path, put } = await watched();
  const text = someText();
  const { batch } = await ingestFile(open.ledger, text);
  put("again.csv", text);
  expect(await quietly(id)).toMatchObject({
    state: "failed",
    why: expect.stringContaining(batch.id),
  });
  expect(readdirSync(path)).toEqual(["failed"]);
});

test("fails with the reason for an unreadable file, and makes a batch to correct from one with wrong rows", async () => {
  const broken = await watched();
  broken.put("a.csv", "no column of ours\n1\n");
  expect(await quietly(broken.id)).toMatchObject({ state: "failed" });
  expect(readdirSync(broken.path)).toEqual(["failed"]);
  const wrong = await watched();
  wrong.put("a.csv", fileText([{ amount: "12" }, { amount: "much" }]));
  const made = await quietly(wrong.id);
  expect(made).toMatchObject({
    state: "created",
    why: "1 of its rows has errors: correct it, or continue without it.",
  });
  expect(await open.ledger.payout.findBatch({ id: made.batchId ?? "" })).toMatchObject({
    state: "needs_correction",
  });
});

test("does not use a late file for the next day, neither before a decision nor after it was skipped", async () => {
  const { id, put } = await watched(-5);
  await look(id);
  put("late.csv", someText());
  await runSchedules(deps);
  await comes(id, 20);
  expect(await quietly(id)).toMatchObject({
    why: expect.stringContaining("Decide on the occurrence of"),
  });
  const [{ day } = { day: "" }] = (
    (await findOccurrences(open.database, [id], 20)).get(id) ?? []
  ).filter(({ state }) => state === "missed");
  const order = {
    id,
    day,
    decision: "skip",
    reason: "too late",
    actor: "user:ops",
    at: new Date(),
  } as const;
  await decideOccurrence(open.database, order);
  expect(await quietly(id)).toMatchObject({
    state: "failed",
    why: expect.stringContaining("an earlier day was skipped"),
  });
});

test("moves the file later after a crash, without a second batch", async () => {
  const { id, path, put } = await watched();
  put("november.csv", someText());
  const { batchId, day } = await quietly(id);
  renameSync(join(path, "done", `${day} ${batchId} november.csv`), join(path, "november.csv"));
  await runSchedules(deps);
  await comes(id, 20);
  expect(await quietly(id)).toMatchObject({
    state: "due",
    why: expect.stringContaining("contains no .csv or .xlsx file"),
  });
  expect(readdirSync(path)).toEqual(["done"]);
});

test("creates one batch, however many processes look", async () => {
  const { id, put } = await watched();
  put("november.csv", someText());
  await look(id);
  await sql`update occurrences set next_check_at = null, seen_at = seen_at - interval '1 minute'
    where schedule_id = ${id} and state = 'due'`.execute(open.database);
  const other = () => ({ ...deps, inboxOf: openFoldersIn(root), creating: new RequestSlots(1) });
  await Promise.all([runSchedules(deps), runSchedules(other()), runSchedules(other())]);
  expect(await latest(id)).toMatchObject({ state: "created" });
  const { rows } = await sql`select from batches where file_name = 'november.csv'
    and created_at > (select created_at from schedules where id = ${id})`.execute(open.database);
  expect(rows).toHaveLength(1);
});

test("requires an existing folder that no other schedule uses", async () => {
  const { folder } = await watched();
  const calendar = { rule: { every: "day" }, time: "09:00", zone: "Asia/Kolkata" };
  const make = (name: string) =>
    createSchedule(ScheduleInput.parse({ name: "other", calendar, folder: name }), "user:m", deps);
  expect(await make(folder)).toMatchObject({ ok: false, error: { kind: "folder_unusable" } });
  expect(await make("nowhere")).toMatchObject({ ok: false, error: { kind: "folder_unusable" } });
});

test.each([["../etc"], ["a/b"], ["/etc"], [".hidden"], ["Salaries"], [""]])(
  "refuses %j as the name of a folder",
  (folder) => {
    const calendar = { rule: { every: "day" }, time: "09:00", zone: "Asia/Kolkata" };
    expect(ScheduleInput.safeParse({ name: "other", calendar, folder }).success).toBe(false);
  },
);

test("asks for the amount format of a file that fits several, and then reads the file", async () => {
  const asking = { ...deps, rows: { ...deps.rows, amountsFixed: false } };
  const { id, folder, path, put } = await watched();
  const amounts = ["1.234", "2.500", "3.750"];
  const rows = rowsOf(3).map((row, at) => ({ ...row, amount: amounts[at] ?? "" }));
  put("wages.csv", fileText(rows));
  const asked = await quietly(id, asking);
  expect(asked).toMatchObject({
    state: "failed",
    why: expect.stringContaining("Choose the amount format of the schedule"),
    amounts: { values: 3, proposed: null },
  });
  expect(readdirSync(path)).toEqual(["wages.csv"]);

  const [found] = await findSchedules(open.database, id);
  if (!found) throw new Error("no schedule");
  const settings = { name: "salaries", calendar: found.calendar, folder, lead_hours: 24 };
  const edit = ScheduleEdit.parse({
    ...settings,
    amounts: "1.234,56",
    grace_hours: 4,
    expires_hours: 24,
    version: found.version,
  });
  const editor = { actor: "user:ops", permissions: new Set(["operate"] as const) };
  expect(await editSchedule(id, edit, editor, deps)).toEqual({ ok: true, value: true });

  const created = await minuteLater(id, asking);
  expect(created).toMatchObject({ state: "created", amounts: null });
  const batch = await open.ledger.payout.findBatch({ id: created.batchId ?? "" });
  expect(batch?.facts.reading).toMatchObject({ amounts: "1.234,56", amountsConfirmed: true });
  expect(batch?.lanes.map(({ total }) => formatMoney(total))).toEqual(["7484.00"]);
});

test("refuses an amount format for a list, whose rows have their own", () => {
  const calendar = { rule: { every: "day" }, time: "09:00", zone: "Asia/Kolkata" };
  const given = ScheduleInput.safeParse({ name: "wages", calendar, list: "B1", amounts: "plain" });
  expect(given.error?.issues).toMatchObject([{ path: ["amounts"] }]);
});
