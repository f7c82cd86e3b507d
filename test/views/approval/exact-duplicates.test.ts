import { afterAll, beforeAll, expect, test } from "vitest";
import type { ServerDeps } from "#views/deps.ts";
import { forgetExactDuplicates, exactDuplicatesIn } from "#views/approval/exact-duplicates.ts";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { ingestFile } from "../../support/ledger.ts";
import { fileText } from "../../support/servers/payrun.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({}, ["uploader"]);
});
afterAll(() => server.close());

test("keeps the result of a slow search for a moment, but not forever", async () => {
  let nowMs = 0;
  // This clock advances a second per read, so every search of the ledger seems slow.
  const monotonicMs = () => (nowMs += 1_000);
  const slow: ServerDeps = { ...server.deps, clock: { ...server.deps.clock, monotonicMs } };
  const [one, other] = await Promise.all(
    ["41.00", "42.00"].map((amount) => ingestFile(server.deps.ledger, fileText([{ amount }]))),
  );
  if (!one || !other) throw new Error("no batches");
  const look = async ({ batch }: typeof one) =>
    expect(await exactDuplicatesIn(batch, slow)).toEqual([]);

  await look(one);
  await look(other);
  expect(forgetExactDuplicates(other.batch.id)).toBe(true);
  nowMs += 60_000;
  await look(other);
  expect(forgetExactDuplicates(one.batch.id)).toBe(false);
});
