import { afterAll, beforeAll, expect, test } from "vitest";
import { type Caller, startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { ingestFile } from "../../support/ledger.ts";
import { fileText, rowsOf } from "../../support/servers/payrun.ts";
import { force } from "../../support/servers/postgres.ts";

let server: TestServer;
let operator: Caller;
beforeAll(async () => {
  server = await startTestServer();
  operator = await server.newUser(["operator"]);
});
afterAll(() => server.close());

const URGENT = { priority: "urgent", reason: "salaries" };

test("refuses to change the priority of a batch that finishes in the meantime", async () => {
  const { batch } = await ingestFile(server.deps.ledger, fileText(rowsOf(1)));
  const finish = `update batches set state = 'finished', finished_at = now() where id = '${batch.id}'`;
  const finishing = force(
    server.deps.config.DATABASE_URL ?? "",
    `begin; ${finish}; select pg_sleep(1); commit`,
  );
  await server.deps.clock.sleep(300);
  const { status, json } = await operator.post(`/api/batches/${batch.id}/priority`, URGENT);
  await finishing;
  expect([status, json.code]).toEqual([409, "wrong_state"]);
});
