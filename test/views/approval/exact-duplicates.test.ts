import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ServerDeps } from "#views/deps.ts";
import { exactDuplicatesIn } from "#views/approval/exact-duplicates.ts";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { ingestFile } from "../../support/ledger.ts";
import { fileText } from "../../support/servers/payrun.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({}, ["uploader"]);
});
afterAll(() => server.close());

test("keeps the result of a slow search for a moment, unless another server stored an explanation", async () => {
  let nowMs = 0;
  // This clock advances a second per read, so every search of the ledger seems slow.
  const monotonicMs = () => (nowMs += 1_000);
  const { database, ledger, clock } = server.deps;
  const slow: ServerDeps = { ...server.deps, clock: { ...clock, monotonicMs } };
  const { batch } = await ingestFile(ledger, fileText([{ amount: "41.00" }]));
  /** The same list each time, as long as it is kept. */
  const look = async () => {
    const found = await exactDuplicatesIn(batch, slow);
    expect(found).toEqual([]);
    return found;
  };

  const first = await look();
  expect(await look()).toBe(first);
  await sql`
    insert into duplicates_allowed (batch_id, content_digest, duplicates, actor, reason, at)
    values (${batch.id}, ${batch.contentDigest}, '{}', 'user:US1', 'A second salary', now())`.execute(
    database,
  );
  const second = await look();
  expect(second).not.toBe(first);
  expect(await look()).toBe(second);
  nowMs += 60_000;
  expect(await look()).not.toBe(second);
});
