import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { PackError } from "#integrity/evidence-pack/archive-reader.ts";
import { openArchive } from "#integrity/archive/read.ts";
import { createArchives } from "#ledger/integrity/archive/create-archive.ts";
import { findEvents } from "#ledger/feed/find-events.ts";
import { publishEvents } from "#ledger/feed/publish-events.ts";
import { approve, totalsOf } from "#flows/approval/approve.ts";
import { findDeclinedRows } from "#ledger/payout/retry-batches.ts";
import { verifyLedger } from "#ledger/integrity/audit-states.ts";
import { findPayoutHistory } from "#ledger/payout/payout-history.ts";
import {
  findArchivePlaces,
  findArchives,
  refusedArchive,
} from "#ledger/integrity/archive/registry.ts";
import {
  detachArchive,
  restoreArchive,
  whyForeign,
} from "#ledger/integrity/archive/work-archive.ts";
import {
  figuresOf,
  payMixedBatches,
  randomNumbers,
  returnPayout,
  rowsOf,
} from "../../../support/archives/mixed-ledger.ts";
import {
  approvedBatch,
  declineAll,
  ingestFile,
  openTestLedger,
  type TestLedger,
} from "../../../support/ledger.ts";
import { fileText } from "../../../support/servers/payrun.ts";
import { asIs, force, query } from "../../../support/servers/postgres.ts";

let open: TestLedger;
let folder: string;
beforeEach(async () => {
  open = await openTestLedger();
  folder = mkdtempSync(join(tmpdir(), "payrun-archive-"));
});
afterEach(async () => {
  await open.close();
  rmSync(folder, { recursive: true });
});

const deps = () => ({ database: open.database, sealer: open.sealer, clock: systemClock });
const TOMORROW = new Date(Date.now() + 24 * 3_600_000);
const create = (partsMax?: number) =>
  createArchives(
    { folder, until: TOMORROW, actor: "cli:root", ...(partsMax !== undefined && { partsMax }) },
    deps(),
  );
const files = () => readdirSync(folder).map((name) => join(folder, name));
const opened = (path: string) => openArchive(path, open.sealer.publicKeys());
const pay = (seed: number, batches = 4, rows = 12) =>
  payMixedBatches(open, { batches, rows, random: randomNumbers(seed) });

async function detachAll() {
  const worked = [];
  for (const path of files()) {
    const archive = await opened(path);
    await archive.verify();
    worked.push(await detachArchive(archive, { actor: "cli:root" }, deps()));
    await archive.close();
  }
  return worked;
}

describe("an archive", () => {
  test.each([1, 2, 3, 4, 5])("leaves every figure as it was (ledger %i)", async (seed) => {
    const ids = await pay(seed);
    const before = await figuresOf(open, ids);
    expect(before.isIntact).toBe(true);
    const rows = await rowsOf(open);
    const run = await create(seed % 2 ? undefined : 2);
    expect(run?.left).toEqual([]);
    expect(await rowsOf(open)).toEqual(rows);
    await detachAll();

    expect(await figuresOf(open, ids)).toEqual(before);
    const [left] = await query(
      open.url,
      "select (select count(*) from attempts) + (select count(*) from evidence) + (select count(*) from payout_details where sealed <> '') as n",
    );
    expect(Number(left?.["n"])).toBe(0);

    for (const path of files()) {
      const archive = await opened(path);
      expect(await whyForeign(archive, open.database)).toBeNull();
      await restoreArchive(archive, { actor: "cli:root" }, deps());
      await archive.close();
    }
    expect(await rowsOf(open)).toEqual(rows);
  });
});

describe("a file", () => {
  test("of which any byte differs is refused", async () => {
    await pay(6, 2, 4);
    await create();
    const [path = ""] = files();
    const bytes = readFileSync(path);
    const random = randomNumbers(7);
    const places = Array.from({ length: 300 }, () => Math.floor(random() * bytes.length));
    const accepted: number[] = [];
    for (const place of [...places, 0, bytes.length - 1]) {
      const changed = Buffer.from(bytes);
      changed[place] = (changed[place] ?? 0) ^ (1 << Math.floor(random() * 8));
      writeFileSync(path, changed);
      if (await isValid(path)) accepted.push(place);
    }
    for (const changed of [bytes.subarray(0, -1), Buffer.concat([bytes, Buffer.from("x")])]) {
      writeFileSync(path, changed);
      if (await isValid(path)) accepted.push(changed.length);
    }
    expect(accepted).toEqual([]);
    writeFileSync(path, bytes);
    expect(await isValid(path)).toBe(true);
  });

  test("of another installation is refused, and one that the ledger does not know", async () => {
    await pay(8, 1, 3);
    await create();
    const [path = ""] = files();
    await expect(openArchive(path, ["00".repeat(32)])).rejects.toThrow("another key");
    const other = await openTestLedger();
    const archive = await opened(path);
    expect(await whyForeign(archive, other.database)).toContain("has no archive");
    await archive.close();
    await other.close();
  });

  test("that was damaged removes no rows", async () => {
    await pay(9, 2, 6);
    await create();
    const rows = await rowsOf(open);
    const [path = ""] = files();
    const archive = await opened(path);
    const bytes = readFileSync(path);
    bytes[200] = (bytes[200] ?? 0) ^ 1;
    writeFileSync(path, bytes);
    await expect(detachArchive(archive, { actor: "cli:root" }, deps())).rejects.toThrow(PackError);
    await archive.close();
    expect(await rowsOf(open)).toEqual(rows);
  });
});

async function isValid(path: string): Promise<boolean> {
  try {
    const archive = await opened(path);
    try {
      await archive.verify();
      return true;
    } finally {
      await archive.close();
    }
  } catch {
    return false;
  }
}

describe("the ledger", () => {
  test("keeps what is not over, and says why", async () => {
    const [first = "", second = ""] = await pay(10, 3, 4);
    await approvedBatch(open.ledger, [{}]);
    await force(
      open.url,
      "insert into users (id, email, name, roles) values ('US1', 'a@example.com', 'Ann', '{viewer}')",
    );
    await query(
      open.url,
      `insert into comments (id, batch_id, actor, text, mentions) values ('C1', '${first}', 'cli:x', 'look', '{US1}')`,
    );
    await force(
      open.url,
      `insert into breaks (lane, day, class, code, payout_id, lines, basis, comparison)
       select lane, current_date, 'status', 'x', id, '{}', 'x', 'x' from payouts where batch_id = '${second}' limit 1`,
    );
    const run = await create();
    expect(run?.created).toMatchObject([{ batches: 1 }]);
    expect(run?.left.map(({ obstacle }) => obstacle).toSorted()).toEqual([
      "not_finished",
      "open_break",
      "unread_mention",
    ]);
    const early = await createArchives({ folder, until: new Date(0), actor: "cli:root" }, deps());
    expect(early).toEqual({ created: [], left: [] });
  });

  test("keeps the rows of a part that has changed since, and archives them again", async () => {
    const [id = ""] = await pay(11, 1, 30);
    await create();
    const [row] = await query(
      open.url,
      "select id::int from payouts where state = 'settled' limit 1",
    );
    await returnPayout(open, Number(row?.["id"]));
    while ((await publishEvents(open.database)) > 0);
    const rows = await rowsOf(open);
    const [worked] = await detachAll();
    expect(worked?.payouts).toBe(0);
    expect(await rowsOf(open)).toEqual(rows);
    expect((await create())?.created).toMatchObject([{ batches: 1 }]);
    const before = await figuresOf(open, [id]);
    await detachAll();
    expect(await figuresOf(open, [id])).toEqual(before);
    expect(
      (await findArchives(open.database)).map(({ detached, changed }) => [detached, changed]),
    ).toEqual([
      [0, 1],
      [1, 0],
    ]);
  });

  test("shows the late return of an archived payout", async () => {
    const [id = ""] = await pay(12, 1, 30);
    await create();
    await detachAll();
    const [row] = await query(
      open.url,
      "select p.id::int, d.transaction_code as code from payouts p join payout_details d on d.payout_id = p.id where state = 'settled' limit 1",
    );
    const code = String(row?.["code"]);
    await returnPayout(open, Number(row?.["id"]));
    while ((await publishEvents(open.database)) > 0);
    const history = await findPayoutHistory(open.database, open.sealer, code);
    expect(history).toMatchObject({ state: "returned", beneficiary: {} });
    expect(await findArchivePlaces(open.database, { code })).toHaveLength(1);
    const { events } = await findEvents(open.database, { after: 0, limit: 10_000 });
    expect(events.at(-1)).toMatchObject({ type: "payout_returned", payout: { code } });
    expect((await verifyLedger(open.database)).intact).toBe(true);
    const [batch] = await query(open.url, "select state from batches where id = $1", [id]);
    expect(batch?.["state"]).toBe("finished_with_exceptions");
  });

  test("refuses the code of an archived payout, and recognises its file", async () => {
    const code = "PRAAAAAAAAAAAAAAAAAA";
    const text = fileText([{ code }]);
    const { batch } = await ingestFile(open.ledger, text);
    const { contentDigest } = batch;
    const seen = { actor: "checker", contentDigest, totals: totalsOf(batch) };
    expect((await approve(batch.id, seen, { ledger: open.ledger })).ok).toBe(true);
    await declineAll(open.ledger, batch.id);
    while ((await publishEvents(open.database)) > 0);
    await create();
    await detachAll();
    expect((await ingestFile(open.ledger, text)).isNew).toBe(false);
    const other = await ingestFile(open.ledger, fileText([{ code }, {}]));
    expect(other.batch.rejected).toBe(1);
    const declined = { batchId: batch.id, after: 0, sizeMax: 10 };
    expect(await findDeclinedRows(open.database, open.sealer, declined)).toEqual([]);
  });

  test("removes rows only through the function, and only after two admins have agreed", async () => {
    await pay(13, 1, 3);
    await create();
    const [archive] = await findArchives(open.database);
    const id = archive?.id ?? "";
    for (const statement of [
      "delete from attempts",
      "delete from evidence",
      "delete from transitions",
      "update payout_details set sealed = ''",
      "insert into archive_transactions values (pg_current_xact_id())",
      "update archive_parts set detached_at = now()",
      "delete from archives",
    ])
      await expect(asIs(open.url, statement)).rejects.toThrow("permission denied");
    await expect(query(open.url, "delete from attempts")).rejects.toThrow("append-only");
    await expect(query(open.url, "update archives set digest = ''")).rejects.toThrow("append-only");
    await expect(query(open.url, "update archive_parts set digest = ''")).rejects.toThrow(
      "append-only",
    );
    await force(open.url, "insert into setup_ended values (default) on conflict do nothing");
    const [path = ""] = files();
    const file = await opened(path);
    const rows = await rowsOf(open);
    const refused = await detachArchive(file, { actor: "cli:root" }, deps()).catch(refusedArchive);
    expect(refused).toBe("not_agreed");
    expect(await rowsOf(open)).toEqual(rows);
    await force(
      open.url,
      `insert into pending_changes (id, change, replaced_value, proposed_by, at, expires_at, outcome, decided_by, decided_at)
       values ('PC1', '{"kind": "detach_archive", "archive_id": "${id}"}', 'x', 'US1', now(), now(), 'confirmed', 'US2', now())`,
    );
    expect(await detachArchive(file, { actor: "cli:root" }, deps())).toMatchObject({
      changedPayouts: 0,
    });
    await file.close();
  });
});
