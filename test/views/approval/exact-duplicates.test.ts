import { afterAll, beforeAll, expect, test } from "vitest";
import type { Desk } from "#views/deps.ts";
import { forgetRepeats, repeatsIn } from "#views/approval/exact-duplicates.ts";
import { startDesk, type TestDesk } from "../../support/dashboard/server.ts";
import { takeIn } from "../../support/ledger.ts";
import { fileText } from "../../support/servers/payrun.ts";

let desk: TestDesk;
beforeAll(async () => {
  desk = await startDesk({}, ["uploader"]);
});
afterAll(() => desk.close());

test("keeps the result of a slow search for a moment, but not forever", async () => {
  let nowMs = 0;
  // This clock advances a second per read, so every search of the ledger seems slow.
  const monotonicMs = () => (nowMs += 1_000);
  const slow: Desk = { ...desk.desk, clock: { ...desk.desk.clock, monotonicMs } };
  const [one, other] = await Promise.all(
    ["41.00", "42.00"].map((amount) => takeIn(desk.desk.ledger, fileText([{ amount }]))),
  );
  if (!one || !other) throw new Error("no batches");
  const look = async ({ batch }: typeof one) => expect(await repeatsIn(batch, slow)).toEqual([]);

  await look(one);
  await look(other);
  expect(forgetRepeats(other.batch.id)).toBe(true);
  nowMs += 60_000;
  await look(other);
  expect(forgetRepeats(one.batch.id)).toBe(false);
});
