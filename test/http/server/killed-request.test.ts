/** State of an Idempotency-Key when the server is killed during its request. */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { withLock } from "#ledger/store/advisory-locks.ts";
import { openDatabase } from "#ledger/store/database.ts";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { eventually } from "../../support/servers/eventually.ts";
import { fileText, rowsOf } from "../../support/servers/payrun.ts";

let server: TestServer;
beforeAll(async () => {
  const sleep: typeof systemClock.sleep = (ms, signal) => systemClock.sleep(ms / 100, signal);
  server = await startTestServer({ clock: { ...systemClock, sleep } }, ["uploader"]);
});
afterAll(() => server.close());

const upload = (text: string, key: string) =>
  server
    .as("uploader")
    .post("/api/batches?file_name=a.csv", text, { headers: { "idempotency-key": key } });
const aged = (seconds: number) =>
  sql`update idempotency set at = at - ${seconds} * interval '1 second'`.execute(
    server.deps.database,
  );

test("allows a request whose process was killed to be repeated within seconds", async () => {
  const text = fileText(rowsOf(2));
  expect((await upload(text, "answered")).status).toBe(201);
  await sql`insert into idempotency (person, key, operation, digest)
    select person, 'killed', operation, digest from idempotency where key = 'answered'`.execute(
    server.deps.database,
  );
  await aged(3);
  expect(await upload(text, "killed")).toMatchObject({
    status: 409,
    json: { code: "request_in_progress" },
    headers: { "retry-after": "2" },
  });
  await aged(5);
  expect(await upload(text, "killed")).toMatchObject({ status: 201, json: { is_new: false } });
});

test("reports a request that is still running, and runs it once", async () => {
  const text = fileText(rowsOf(3));
  const { database } = server.deps;
  let first: ReturnType<typeof upload> | undefined;
  await database.transaction().execute(async (transaction) => {
    await sql`lock table batches in exclusive mode`.execute(transaction);
    first = upload(text, "long");
    const age = async () => {
      const { rows } = await sql<{ age: number }>`
        select extract(epoch from now() - at)::float as age from idempotency where key = 'long'`.execute(
        database,
      );
      return rows[0]?.age;
    };
    await eventually("it is at work", async () => (await age()) !== undefined);
    await aged(300);
    await eventually("it is renewed", async () => ((await age()) ?? 300) < 60);
    expect((await upload(text, "long")).json.code).toBe("request_in_progress");
  });
  expect((await first)?.status).toBe(201);
});

test("does not run a request again whose owner is frozen and holds its lock", async () => {
  const text = fileText(rowsOf(4));
  const { database, databaseUrl } = server.deps;
  expect((await upload(text, "frozen-before")).status).toBe(201);
  const { rows } = await sql<{ person: string }>`
    insert into idempotency (person, key, operation, digest, at)
    select person, 'frozen', operation, digest, now() - interval '5 minutes' from idempotency
    where key = 'frozen-before' returning person`.execute(database);
  const elsewhere = openDatabase(databaseUrl, 1);
  await withLock(elsewhere, `request ${rows[0]?.person} frozen`, async () => {
    expect((await upload(text, "frozen")).json.code).toBe("request_in_progress");
  });
  await elsewhere.destroy();
  expect((await upload(text, "frozen")).status).toBe(201);
});
