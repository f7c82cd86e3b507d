/** A batch that arrives in a frozen or forgetful ledger, in whatever way, is quarantined. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import writeWorkbook from "write-excel-file/node";
import { createSchedule, runSchedules } from "#flows/schedule/schedules.ts";
import { decideOccurrence } from "#ledger/schedule/occurrences.ts";
import { findOccurrences } from "#ledger/schedule/schedules.ts";
import { findQuarantineCauses } from "#ledger/intake/quarantine.ts";
import { ScheduleInput } from "#schedule/schedule.ts";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { fileText, rowsOf, scratch } from "../../support/servers/payrun.ts";
import { force } from "../../support/servers/postgres.ts";
import { scheduleDeps } from "../../support/schedules.ts";

const FREEZE = { reason: "manually: a test", actor: "test" };
const CALENDAR = { rule: { every: "day" }, time: "09:00", zone: "Asia/Kolkata" };
const inbox = scratch();

let server: TestServer;
let maker: string;
beforeAll(async () => {
  server = await startTestServer({}, ["uploader"]);
  await server.deps.ledger.integrity.verify();
  maker = `user:${server.as("uploader").userId}`;
});
afterAll(() => server.close());

async function upload(file: string | Buffer, name = "a.csv"): Promise<string> {
  const { json } = await server.as("uploader").post(`/api/batches?file_name=${name}`, file);
  return json.batch.batch_id;
}

const schedules = () =>
  scheduleDeps({ ...server.deps, url: server.deps.databaseUrl, close: async () => {} }, inbox);

/**
 * Sets up a schedule. Returns a function that creates its batch on its day. A person must decide,
 * because the ledger froze on that day.
 */
async function scheduled(source: { list: string } | { folder: string }) {
  const given = ScheduleInput.parse({ name: "salaries", calendar: CALENDAR, ...source });
  const made = await createSchedule(given, maker, schedules());
  if (!made.ok) throw new Error(made.error.why);
  const { database } = server.deps;
  const id = made.value;
  return async (): Promise<string> => {
    await sql`update occurrences set create_at = now(), send_at = now() + interval '20 hours'
      where schedule_id = ${id} and state = 'planned'`.execute(database);
    const latest = async () => {
      for (let look = 0; look < 3; look += 1) {
        await runSchedules(schedules());
        await sql`update occurrences set next_check_at = null, seen_at = seen_at - interval '1 minute'
          where schedule_id = ${id} and state = 'due'`.execute(database);
      }
      const all = (await findOccurrences(database, [id], 20)).get(id) ?? [];
      return all.find(({ state }) => state !== "planned");
    };
    const missed = await latest();
    expect(missed).toMatchObject({ state: "missed", batchId: null });
    const order = { id, day: missed?.day ?? "", decision: "create", reason: "not paid" } as const;
    await decideOccurrence(database, { ...order, actor: "user:ops", at: new Date() });
    const batchId = (await latest())?.batchId;
    if (!batchId) throw new Error("no batch was made");
    return batchId;
  };
}

/** Setup on an open ledger, and the function that adds a batch or its rows to the frozen one. */
const WAYS = {
  "an upload over HTTP": async () => () => upload(fileText(rowsOf(2))),
  async "a correction"() {
    const wrong = "HDFCO000001";
    const text = fileText([...rowsOf(1), { ifsc: wrong }]);
    const id = await upload(text);
    const [header = "", , row = ""] = text.split("\n");
    const repaired = `${header},line\n${row.replace(wrong, "HDFC0000001")},3\n`;
    return async () => {
      const path = `/api/batches/${id}/corrections?file_name=r.csv`;
      const { json } = await server.as("uploader").post(path, repaired);
      if (json.corrected !== 1) throw new Error(`not corrected: ${JSON.stringify(json)}`);
      return id;
    };
  },
  "a schedule": async () => scheduled({ list: await upload(fileText(rowsOf(2))) }),
  async "a watched folder"() {
    mkdirSync(join(inbox, "salaries"));
    const make = await scheduled({ folder: "salaries" });
    return async () => {
      writeFileSync(join(inbox, "salaries", "november.csv"), fileText(rowsOf(2)));
      return make();
    };
  },
} satisfies Record<string, () => Promise<() => Promise<string>>>;

test.each(Object.entries(WAYS))("F26 quarantines %s in a frozen ledger", async (_way, prepare) => {
  const { ledger, database } = server.deps;
  const upload = await prepare();
  await ledger.integrity.freeze(FREEZE);
  try {
    const id = await upload();
    expect(await findQuarantineCauses(database, id)).toMatchObject([
      { cause: "frozen", decision: null },
    ]);
  } finally {
    // As after an unfreeze: the next case starts with an open ledger.
    await sql`update epoch set frozen_at = null, reason = null`.execute(database);
  }
});

test("F26 counts the rows of a batch that is corrected again before anyone has decided about it", async () => {
  const { ledger, database } = server.deps;
  const wrong = "HDFCO000001";
  const text = fileText([...rowsOf(1), { ifsc: wrong }, { ifsc: wrong, amount: "7.00" }]);
  const id = await upload(text);
  const [header = "", , ...bad] = text.trim().split("\n");
  const correct = (place: number) => {
    const row = bad[place]?.replace(wrong, "HDFC0000001");
    const path = `/api/batches/${id}/corrections?file_name=r.csv`;
    return server.as("uploader").post(path, `${header},line\n${row},${place + 3}\n`);
  };
  const rows = async () => (await findQuarantineCauses(database, id)).map((each) => each.rows);
  await ledger.integrity.freeze(FREEZE);
  try {
    expect([(await correct(0)).status, await rows()]).toEqual([201, [2]]);
    expect([(await correct(1)).status, await rows()]).toEqual([201, [3]]);
  } finally {
    await sql`update epoch set frozen_at = null, reason = null`.execute(database);
  }
  const forget = sql`update quarantine set decision = null where batch_id = ${id}`;
  await sql`update quarantine set decision = 'kept', decided_at = now(), decided_by = 'test', reason = 'test'
    where batch_id = ${id}`.execute(database);
  await expect(forget.execute(database)).rejects.toThrow(/stays/);
});

test("F26 quarantines a workbook whose batch the ledger has forgotten, and its rows in a file as well", async () => {
  const { database, databaseUrl } = server.deps;
  const text = fileText(rowsOf(3));
  const rows = text
    .trim()
    .split("\n")
    .map((line) => line.split(","));
  const workbook = await writeWorkbook(rows).toBuffer();
  const lost = await upload(workbook, "salaries.xlsx");
  // As in an older copy of the ledger.
  const own = `(select id from payouts where batch_id = '${lost}')`;
  await force(databaseUrl, `delete from payout_details where payout_id in ${own}`);
  for (const table of ["payouts", "batch_lanes"])
    await force(databaseUrl, `delete from ${table} where batch_id = '${lost}'`);
  await force(databaseUrl, `delete from batches where id = '${lost}'`);

  const causes = async (id: string) =>
    (await findQuarantineCauses(database, id)).map(({ cause, lostBatch, rows: count }) => [
      cause,
      lostBatch,
      count,
    ]);
  expect(await causes(await upload(workbook, "salaries.xlsx"))).toEqual([
    ["lost_file", lost, 3],
    ["lost_payouts", lost, 3],
  ]);
  expect(await causes(await upload(text))).toEqual([["lost_payouts", lost, 3]]);
});
