import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { openArchive } from "#integrity/archive/read.ts";
import { publishEvents } from "#ledger/feed/publish-events.ts";
import { createArchives } from "#ledger/integrity/archive/create-archive.ts";
import { detachArchive } from "#ledger/integrity/archive/work-archive.ts";
import { listPayouts } from "#ledger/payout/search/payouts.ts";
import { approvedBatch, declineAll, openTestLedger } from "../../../support/ledger.ts";

test("does not take a removed attempt for an older copy, and finds a payout by its account", async () => {
  const open = await openTestLedger();
  const folder = mkdtempSync(join(tmpdir(), "payrun-archive-"));
  const { database, sealer, ledger } = open;
  try {
    const account = "50100009990001";
    const { id } = await approvedBatch(ledger, [{ account }, {}]);
    expect(await ledger.integrity.verify()).toBeNull();
    await declineAll(ledger, id);
    while ((await publishEvents(database)) > 0);
    const deps = { database, sealer, clock: systemClock };
    const until = new Date(Date.now() + 24 * 3_600_000);
    await createArchives({ folder, until, actor: "cli:root" }, deps);
    const [name = ""] = readdirSync(folder);
    const archive = await openArchive(join(folder, name), sealer.publicKeys());
    await detachArchive(archive, { actor: "cli:root" }, deps);
    await archive.close();

    expect(await ledger.integrity.verify()).toBeNull();
    const find = async (number: string) => {
      const page = { sort: "oldest", limit: 10, after: null } as const;
      const { items } = await listPayouts(database, sealer, { account: number }, page);
      return items.map(({ line }) => line);
    };
    expect(await find(account)).toEqual([2]);
    expect(await find("60100009990001")).toEqual([]);
  } finally {
    await open.close();
    rmSync(folder, { recursive: true });
  }
});
