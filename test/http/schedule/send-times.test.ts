import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findSendTimes } from "#ledger/schedule/send-times.ts";
import { approveAt } from "../../support/dashboard/acknowledge.ts";
import type { Caller } from "../../support/dashboard/server.ts";
import { openScene, type Scene } from "../../support/actions/scene.ts";

const AT = "2099-12-31 09:00 Asia/Kolkata";
const OVER = "2026-01-05 09:00 Asia/Kolkata";

let scene: Scene;
let second: Caller;
beforeAll(async () => {
  scene = await openScene();
  second = await scene.newcomer("approver");
});
afterAll(() => scene.server.close());

const approve = (by: Caller, batch: Parameters<Scene["approval"]>[0], send: unknown) =>
  approveAt(by, `/api/batches/${batch.id}`, { ...scene.approval(batch), send });

/** A batch whose send time came before everybody had approved it. */
async function late(people: number) {
  const { database } = scene.server.deps;
  const batch = await scene.waiting(people);
  if (people > 2) {
    await approve(scene.checker, batch, { at: AT });
  } else {
    await sql`insert into send_times (batch_id, send_at, local, zone, expires_hours, set_by)
      values (${batch.id}, now(), '2026-01-05T09:00', 'Asia/Kolkata', 24, 'schedule:S1')`.execute(
      database,
    );
  }
  await sql`update send_times set send_at = '2026-01-05T03:30:00Z', local = '2026-01-05T09:00'
    where batch_id = ${batch.id}`.execute(database);
  return batch;
}

test.each([2, 3])(
  "accepts an existing time even after it has passed, where %i approvers are needed",
  async (people) => {
    const batch = await late(people);
    const { status, json } = await approve(second, batch, { at: OVER });
    expect([status, json]).toEqual([200, { state: "approved", missing: 0 }]);
    const sending = (await findSendTimes(scene.server.deps.database, [batch.id])).get(batch.id);
    expect(sending).toMatchObject({ local: "2026-01-05T09:00", expiresHours: 24 });
  },
);

test("marks in the list the batches that wait for their send time", async () => {
  const batch = await scene.waiting(2);
  await approve(second, batch, { at: AT });
  const listed = async (send: string) => {
    const [list, byState] = [`state=approved&send=${send}`, `state=paused&state=${send}`];
    const found = await second.get(`/api/batches?${list}&text=${batch.id}`);
    const same = await second.get(`/api/batches?${byState}&text=${batch.id}`);
    expect(same.json.items).toEqual(found.json.items);
    return found.json.items.length;
  };
  const found = async () => [
    await listed("scheduled"),
    await listed("held_back"),
    await listed("released"),
  ];
  const states = async () => (await second.get(`/api/batch-summary?text=${batch.id}`)).json.states;
  const put = (what: string) =>
    sql.raw(`update send_times set ${what} where batch_id = '${batch.id}'`);
  const { database } = scene.server.deps;
  expect(await found()).toEqual([1, 0, 0]);
  expect(await states()).toEqual([{ state: "scheduled", batches: 1 }]);
  await put("held_back = 'its rows'").execute(database);
  expect(await found()).toEqual([0, 1, 0]);
  expect(await states()).toEqual([{ state: "held_back", batches: 1 }]);
  await put("held_back = null, released_at = now(), send_at = '2026-01-05T03:30:00Z'").execute(
    database,
  );
  expect(await found()).toEqual([0, 0, 1]);
  expect(await states()).toEqual([{ state: "approved", batches: 1 }]);
  const soon = await scene.waiting(2);
  await approve(second, soon, "now");
  const path = `/api/batches?state=approved&send=released&text=${soon.id}`;
  expect((await second.get(path)).json.items).toHaveLength(1);
});

test("refuses another past time, and does not change another approver's time", async () => {
  const batch = await late(3);
  const other = await approve(second, batch, { at: "2026-01-05 09:01 Asia/Kolkata" });
  expect([other.status, other.json.code]).toEqual([422, "time_passed"]);
  for (const send of ["now", { at: AT }]) {
    const { status, json } = await approve(second, batch, send);
    expect([status, json.code]).toEqual([409, "send_time_differs"]);
  }
});

test("applies one validity period after the time to all approvers", async () => {
  const { database } = scene.server.deps;
  const hoursOf = async (id: string) =>
    (await findSendTimes(database, [id])).get(id)?.expiresHours ?? null;
  const batch = await scene.waiting(3);
  await approve(scene.checker, batch, { at: AT, expires_hours: 5 });

  const other = await approve(second, batch, { at: AT, expires_hours: 6 });
  expect([other.status, other.json.code]).toEqual([409, "send_time_differs"]);
  expect(other.json.detail).toBe(
    `Other approvers approved this batch to be sent at ${AT}, and their approval expires 5 h after that.`,
  );
  expect(await hoursOf(batch.id)).toBe(5);

  const { status, json } = await approve(second, batch, { at: AT });
  expect([status, json]).toEqual([200, { state: "approved", missing: 0 }]);
  expect(await hoursOf(batch.id)).toBe(5);
});

test("lets the first approver set the validity, even where the time existed before", async () => {
  const batch = await late(2);
  expect((await approve(second, batch, { at: OVER, expires_hours: 700 })).status).toBe(200);
  const sending = (await findSendTimes(scene.server.deps.database, [batch.id])).get(batch.id);
  expect(sending).toMatchObject({ local: "2026-01-05T09:00", expiresHours: 700 });
});

test("uses the current cut-offs for a past time", async () => {
  const { deps } = scene.server;
  const today = new Date(deps.clock.nowMs()).toISOString().slice(0, 10);
  const batch = await late(2);
  const cutOffs = deps.bankDays.cutOffs as Map<string, { time: string; zone: string }>;
  cutOffs.set("INR", { time: "", zone: "UTC" });
  const path = `/api/batches/${batch.id}`;
  const page = (await second.get(path)).json;
  const told = (await second.get(`${path}/send-time?at=${encodeURIComponent(OVER)}`)).json;
  cutOffs.clear();
  const misses = [expect.stringMatching(new RegExp(`^INR · [\\w-]+: ${today} `))];
  expect([page.misses, told.misses, told.has_passed]).toEqual([misses, misses, true]);
});
