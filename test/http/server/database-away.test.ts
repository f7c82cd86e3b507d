/** API responses while the database refuses requests. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { problemOf } from "#http/server/problems.ts";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { eventually } from "../../support/servers/eventually.ts";
import { fileText, rowsOf } from "../../support/servers/payrun.ts";
import { query } from "../../support/servers/postgres.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({}, ["uploader", "admin"]);
});
afterAll(() => server.close());

test("F27 reports a read-only ledger as such, and still reads it", async () => {
  const { databaseUrl, ledger } = server.deps;
  await ledger.integrity.verify();
  const program = await server.newKey(["read"]);
  await query(databaseUrl, "update sessions set seen_at = seen_at - interval '2 minutes'");
  await query(
    databaseUrl,
    `do $$ begin execute format('alter database %I set default_transaction_read_only = on', current_database()); end $$`,
  );
  await query(
    databaseUrl,
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  const uploader = server.as("uploader");
  // The first requests may still get one of the ended connections, which is reported as an
  // unreachable database.
  const refused = await eventually("the refusal of a read-only database", async () => {
    const answer = await uploader.post("/api/batches?file_name=a.csv", fileText(rowsOf(2)));
    expect(answer).toMatchObject({ status: 503, json: { code: "database_unavailable" } });
    return !answer.json.detail.startsWith("The database cannot be reached") && answer;
  });
  expect(refused.json.detail).toBe(
    "The database is read-only. If you requested a change, it may or may not have been made: check before you repeat the request.",
  );
  const looking = { headers: { "x-payrun-input": "1" } };
  expect(await uploader.get("/api/batches", looking)).toMatchObject({ status: 200 });
  expect(await program.get("/api/batches")).toMatchObject({ status: 200 });
  expect(await program.get("/api/operations")).toMatchObject({ status: 200 });
});

test.each([
  { code: "55P03", says: "Another session holds a lock in the database" },
  { code: "57014", says: "A database statement took too long" },
  { code: "53300", says: "The database has reached its connection limit" },
  { code: "57P01", says: "The database cannot be reached" },
  { code: "ECONNREFUSED", says: "The database cannot be reached" },
])("treats $code as a database problem", ({ code, says }) => {
  const problem = problemOf(Object.assign(new Error("its own words"), { code }));
  expect(problem?.document()).toMatchObject({
    status: 503,
    code: "database_unavailable",
    detail: expect.stringContaining(says),
  });
});

test("keeps payrun's own errors as such", () => {
  expect(problemOf(new TypeError("no such method"))).toBeNull();
});
