/** After a restore, one decision covers every undecided occurrence of a schedule. */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSchedule, runSchedules, type ScheduleDeps } from "#flows/schedule/schedules.ts";
import { decideOccurrences } from "#ledger/schedule/decisions.ts";
import { findOccurrences } from "#ledger/schedule/schedules.ts";
import { ScheduleInput } from "#schedule/schedule.ts";
import { scheduleDocuments } from "#views/schedule/schedule-document.ts";
import { monthDocument } from "#views/schedule/schedule-month.ts";
import { ingestFile, openTestLedger, type TestLedger } from "../../support/ledger.ts";
import { fileText, rowsOf } from "../../support/servers/payrun.ts";
import { scheduleDeps } from "../../support/schedules.ts";

const DAY_MS = 86_400_000;
const HOLIDAYS = new Map();

let open: TestLedger;
let deps: ScheduleDeps;
beforeAll(async () => {
  open = await openTestLedger();
  deps = scheduleDeps(open);
});
afterAll(() => open.close());

async function daily(): Promise<string> {
  const { batch } = await ingestFile(open.ledger, fileText(rowsOf(1)));
  const calendar = { rule: { every: "day" }, time: "09:00", zone: "Asia/Kolkata" };
  const given = ScheduleInput.parse({ name: "salaries", calendar, list: batch.id });
  const made = await createSchedule(given, "user:maker", deps);
  if (!made.ok) throw new Error(made.error.why);
  return made.value;
}
const freeze = () => open.ledger.integrity.freeze({ reason: "restored", actor: "cli:ops" });
const sources = () => ({
  database: open.database,
  bankDays: { holidays: HOLIDAYS, cutOffs: new Map() },
  now: new Date(),
});
const documentOf = async (id: string) => {
  const [found] = await scheduleDocuments(id, 50, sources());
  if (!found) throw new Error("no schedule");
  return found;
};
const undecidedDays = async (id: string) => (await documentOf(id)).undecided.map(({ day }) => day);
const decide = (id: string, days: readonly string[], decision: "create" | "skip") => {
  const order = { id, days, decision, reason: "support called", actor: "user:ops", at: new Date() };
  return open.database
    .transaction()
    .execute((transaction) => decideOccurrences(transaction, order, HOLIDAYS));
};
const entriesOf = async (id: string) => {
  const { rows } = await sql<{ action: string; day: string }>`
    select action, facts::json ->> 'day' as day from audit
    where object = ${id} and action <> 'create_schedule' order by seq`.execute(open.database);
  return rows;
};
/** The planned occurrence becomes due, and its batch is created or not. */
async function fire(id: string) {
  await sql`update occurrences set create_at = now(), send_at = now() + interval '20 hours'
    where schedule_id = ${id} and state = 'planned'`.execute(open.database);
  await runSchedules(deps);
  const stored = (await findOccurrences(open.database, [id], 50)).get(id) ?? [];
  return stored.find(({ state }) => state !== "planned");
}

test("no day needs a decision before a restore", async () => {
  expect(await undecidedDays(await daily())).toEqual([]);
});

test("creates the batches of all days until 30 days after the freeze, with one entry for each", async () => {
  const id = await daily();
  await freeze();
  const { undecided } = await documentOf(id);
  const days = undecided.map(({ day }) => day);
  expect(days.length).toBeGreaterThanOrEqual(30);
  expect(Date.parse(days.at(-1) ?? "") - Date.parse(days[0] ?? "")).toBe(
    (days.length - 1) * DAY_MS,
  );
  expect(new Set(undecided.map(({ state }) => state))).toEqual(new Set(["planned"]));

  expect(await decide(id, days.slice(1), "create")).toBe("changed");
  expect(await decide("SC-NONE", days, "create")).toBe("not_found");
  expect(await entriesOf(id)).toEqual([]);
  expect(await decide(id, days, "create")).toBe("decided");
  expect(await entriesOf(id)).toEqual(days.map((day) => ({ action: "create_occurrence", day })));
  expect(await undecidedDays(id)).toEqual([]);
  expect(await fire(id)).toMatchObject({ state: "created", day: days[0] });
});

test("skips all days, also those that were missed already", async () => {
  const id = await daily();
  await freeze();
  expect(await fire(id)).toMatchObject({ state: "missed" });
  const { undecided } = await documentOf(id);
  const [missed = "", next = ""] = undecided.map(({ day }) => day);
  expect(undecided.slice(0, 2)).toMatchObject([{ state: "missed" }, { state: "planned" }]);
  const days = undecided.map(({ day }) => day);
  expect(await decide(id, days, "skip")).toBe("decided");
  const after = await documentOf(id);
  expect(after.occurrences.find(({ day }) => day === missed)).toMatchObject({ state: "skipped" });
  expect(Date.parse(after.next[0]?.at ?? "")).toBeGreaterThan(
    Date.parse(undecided.at(-1)?.at ?? ""),
  );
  const { days: month } = await monthDocument(next.slice(0, 7), sources());
  const times = month.find(({ date }) => date === next)?.times ?? [];
  expect(times.filter((each) => each.schedule_id === id)).toMatchObject([{ state: "skipped" }]);

  const before = (await entriesOf(id)).length;
  expect(await fire(id)).toMatchObject({ state: "skipped", day: next, batchId: null });
  expect(await entriesOf(id)).toHaveLength(before);
});

test("asks again after another freeze, and when the time of an occurrence has changed", async () => {
  const id = await daily();
  await freeze();
  const days = await undecidedDays(id);
  expect(await decide(id, days, "create")).toBe("decided");
  await sql`update occurrences set local = replace(local, 'T09', 'T10')
    where schedule_id = ${id} and state = 'planned'`.execute(open.database);
  expect(await undecidedDays(id)).toEqual(days.slice(0, 1));
  expect(await fire(id)).toMatchObject({ state: "missed" });
  await sql`update epoch set frozen_at = null`.execute(open.database);
  await freeze();
  expect((await undecidedDays(id)).length).toBeGreaterThanOrEqual(30);
});
