import { expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { createLedger } from "#ledger/create-ledger.ts";
import { epochOf } from "#ledger/integrity/freeze.ts";
import { findLostBatches } from "#ledger/intake/quarantine.ts";
import { createRestoreMemory } from "#ledger/integrity/restore-memory.ts";
import { openTestLedger, ingestFile } from "../../support/ledger.ts";
import { fileText, rowsOf, scratch } from "../../support/servers/payrun.ts";
import { force } from "../../support/servers/postgres.ts";

test("F26 freezes a ledger that has forgotten a remembered batch at startup, until a person acknowledges the loss", async () => {
  const { url, database, sealer, close } = await openTestLedger();
  const folder = scratch();
  const startProcess = () =>
    createLedger(database, sealer, systemClock, {
      restoreMemory: createRestoreMemory(folder, systemClock),
    });
  try {
    const { batch } = await ingestFile(startProcess(), fileText(rowsOf(2)));
    expect(await startProcess().integrity.verify()).toBe(null);
    // As in an older copy of the ledger, in the same server.
    for (const table of ["payout_details", "payouts", "batch_lanes"])
      await force(url, `delete from ${table}`);
    await force(url, "delete from batches");

    const process = startProcess();
    const freeze = await process.integrity.verify();
    expect(freeze).toMatchObject({ epoch: 2, reason: expect.stringContaining(batch.id) });
    expect(
      (await findLostBatches(database, "unacknowledged")).map(({ batchId }) => batchId),
    ).toEqual([batch.id]);
    const order = { epoch: await epochOf(database), reason: "compared", actor: "test" };
    expect(await process.integrity.unfreeze(order)).toBe(false);
    expect(await process.integrity.unfreeze({ ...order, acknowledge: [batch.id] })).toBe(true);
    expect(await process.integrity.verify()).toBe(null);
    expect(await startProcess().integrity.verify()).toBe(null);
  } finally {
    await close();
  }
});
