/** Erasure of a person: keys and rows, two people, and payouts that arrive meanwhile. */
import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { Secret } from "#base/secret.ts";
import { decideOnErasure, proposeErasure } from "#flows/erasure/erase-person.ts";
import { createLedger } from "#ledger/create-ledger.ts";
import { verifyAudit } from "#ledger/integrity/audit-hash-chain.ts";
import { withAuditSeal } from "#ledger/integrity/audit-seal.ts";
import { insertLeftOutRows } from "#ledger/intake/left-out/left-out-rows.ts";
import { rewriteNextTerms } from "#ledger/erasure/rewrite-terms.ts";
import { rotateKey } from "#ledger/erasure/rotate-key.ts";
import { bindKey } from "#ledger/integrity/sealing-keys.ts";
import type { Ledger } from "#ledger/ledger.ts";
import { findPayoutIdsByTerm } from "#ledger/intake/search-terms.ts";
import { type Database, openDatabase } from "#ledger/store/database.ts";
import { holdSubjectKeys, readSubjectKeys } from "#ledger/integrity/stored-keys.ts";
import { openPayout, openRejected, sealRejected } from "#ledger/store/sealed-rows.ts";
import { createSealer, type Sealer } from "#ledger/store/sealing.ts";
import {
  approvedBatch,
  claimOf,
  declineAll,
  freshLedger,
  ingestFile,
} from "../../support/ledger.ts";
import { fileText } from "../../support/servers/payrun.ts";
import { force, query } from "../../support/servers/postgres.ts";

const KEY = () => new Secret(randomBytes(32).toString("hex"));
const ACCOUNT = "50100098765432";
const NAME = "Zubaidah Quillfeather";

let url: string;
let key: Secret;
let database: Database;
let sealer: Sealer;
let ledger: Ledger;
beforeEach(async () => {
  url = await freshLedger();
  key = KEY();
  sealer = createSealer(key);
  database = withAuditSeal(openDatabase(url), sealer);
  ledger = createLedger(database, sealer, systemClock);
  await bindKey(database, sealer.keyCheck);
});
afterEach(() => database.destroy());

const deps = () => ({ ledger, clock: systemClock });
const paid = async (account = ACCOUNT, name = NAME): Promise<string> => {
  const { id } = await approvedBatch(ledger, [
    { account, name, reference: "Invoice-77821" },
    { name: "Other Person" },
  ]);
  await declineAll(ledger, id);
  return id;
};
const sealedOf = async (batchId: string) => {
  const { rows } = await sql<{ id: number; code: string; sealed: Buffer; line: number }>`
    select p.id, d.transaction_code as code, d.sealed, p.line
    from payouts p join payout_details d on d.payout_id = p.id
    where p.batch_id = ${batchId} order by p.line`.execute(database);
  return rows;
};
const propose = (code: string, actor = "cli:ops") =>
  proposeErasure({ code, reason: "request 12", actor, keptAfter: null }, deps());

test("empties the rows of one person, whose keys open no copy of the rows", async () => {
  const batchId = await paid();
  const before = await sealedOf(batchId);
  const [row, other] = before as [(typeof before)[0], (typeof before)[0]];
  const rejected = { line: 9, cells: ["x", "5010 0098 765432"], problems: [] };
  const sealed = sealRejected(sealer, batchId, rejected);
  await sql`insert into corrected_rows (batch_id, line, sealed) values (${batchId}, 9, ${sealed})`.execute(
    database,
  );
  const search = (name: string) => findPayoutIdsByTerm(database, sealer, { name });
  expect(await search("zubai")).toContain(String(row.id));

  const proposed = await propose(row.code);
  expect(proposed).toMatchObject({ ok: true, value: { isErased: true, payouts: 1, fileRows: 1 } });

  await readSubjectKeys(database, sealer);
  expect(openPayout(sealer, row.code, row.sealed).isErased).toBe(true);
  expect(openRejected(sealer, batchId, 9, sealed).isErased).toBe(true);
  expect(openPayout(sealer, other.code, other.sealed).details.account_name).toBe("Other Person");
  const [after] = await sealedOf(batchId);
  expect(after?.sealed).toEqual(Buffer.of(0));
  const [stored] = await query(
    url,
    `select name_key, user_key, account_tail from payout_details where payout_id = ${row.id}`,
  );
  expect(stored).toEqual({ name_key: null, user_key: 0, account_tail: null });
  expect(await search("zubai")).toBeNull();
  expect(await search("other")).toContain(String(other.id));
  expect(await query(url, "select sealed from corrected_rows")).toEqual([{ sealed: Buffer.of(0) }]);
  const lines = await query(
    url,
    "select action, object, facts from audit order by seq desc limit 1",
  );
  expect(lines).toMatchObject([{ action: "erase_person", object: "erasure 1" }]);
  expect(String(lines[0]?.["facts"])).not.toContain(ACCOUNT);
});

test("needs another person if payrun has approvers, and refuses the proposer", async () => {
  await force(
    url,
    `insert into users (id, email, name, roles) values ('U1', 'a@x.example', 'A', '{approver}'), ('U2', 'b@x.example', 'B', '{approver}')`,
  );
  const batchId = await paid();
  const [row] = await sealedOf(batchId);
  const code = row?.code ?? "";
  const proposed = await propose(code, "user:U1");
  expect(proposed).toMatchObject({ ok: true, value: { isErased: false } });
  const decide = (actor: string) =>
    decideOnErasure({ id: 1, agree: true, actor, keptAfter: null }, deps());
  expect(await propose(code, "user:U2")).toMatchObject({ error: { code: "wrong_state" } });
  expect(await decide("user:U1")).toEqual({ ok: false, error: "own_resolution" });
  expect((await sealedOf(batchId))[0]?.sealed.length).toBeGreaterThan(1);
  expect(await decide("user:U2")).toMatchObject({ ok: true, value: { payouts: 1 } });
  expect(await decide("user:U2")).toMatchObject({ ok: false });
  expect((await sealedOf(batchId))[0]?.sealed.length).toBe(1);
});

test("refuses while a payout of the person is not final, or must be kept", async () => {
  const { id } = await approvedBatch(ledger, [{ account: ACCOUNT, name: NAME }]);
  const [row] = await sealedOf(id);
  const code = row?.code ?? "";
  for (const state of ["awaiting_approval", "approved", "submitting", "in_doubt", "on_hold"]) {
    await force(url, "update payouts set state = $1", [state]);
    expect(await propose(code)).toMatchObject({
      ok: false,
      error: { code: "wrong_state", detail: expect.stringContaining("not final") },
    });
  }
  await force(url, "update payouts set state = 'settled'");
  const kept = await proposeErasure(
    { code, reason: "r", actor: "cli:ops", keptAfter: new Date(0) },
    deps(),
  );
  expect(kept).toMatchObject({ error: { detail: expect.stringContaining("kept longer") } });
  expect((await sealedOf(id))[0]?.sealed.length).toBeGreaterThan(1);
  expect(await query(url, "select from erasures")).toEqual([]);
});

test("the application's statements cannot empty a row without a confirmed erasure", async () => {
  const batchId = await paid();
  const [row] = await sealedOf(batchId);
  const erase = (erasure: number) =>
    query(url, `select erase_data(${erasure}, '{${row?.id}}', '{}', '{}', '{}')`);
  await expect(erase(1)).rejects.toThrow("append-only");
  await query(
    url,
    "insert into erasures (account_digest, reason, proposed_by) values ('\\x00', 'r', 'cli:x')",
  );
  await expect(erase(1)).rejects.toThrow("append-only");
  await query(url, "update erasures set outcome = 'alone', decided_by = 'x', decided_at = now()");
  // It is confirmed, but for another account.
  await expect(erase(1)).rejects.toThrow("append-only");
  await expect(query(url, "select clear_terms()")).rejects.toThrow("append-only");
});

test("a payout that is stored during an erasure waits, and can be sent afterwards", async () => {
  const batchId = await paid();
  const [row] = await sealedOf(batchId);
  // Another process, which does not know of the erasure.
  const otherSealer = createSealer(key);
  const otherDatabase = withAuditSeal(openDatabase(url), otherSealer);
  const other = createLedger(otherDatabase, otherSealer, systemClock);
  const release = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const intake = otherDatabase.transaction().execute(async (transaction) => {
    await holdSubjectKeys(transaction, otherSealer);
    held.resolve();
    await release.promise;
  });
  await held.promise;
  const erasing = propose(row?.code ?? "");
  const isFirst = await Promise.race([erasing.then(() => true), pause(300).then(() => false)]);
  expect(isFirst).toBe(false);
  // It queues behind the erasure.
  const next = ingestFile(other, fileText([{ account: ACCOUNT, name: NAME }]));
  release.resolve();
  await intake;
  expect(await erasing).toMatchObject({ ok: true, value: { payouts: 1 } });
  const { batch } = await next;
  const [again] = await sealedOf(batch.id);
  const opened = openPayout(otherSealer, again?.code ?? "", again?.sealed ?? Buffer.alloc(0));
  expect(opened.details.account_name).toBe(NAME);
  // This process opens it after it has read the keys.
  await readSubjectKeys(database, sealer);
  expect(openPayout(sealer, again?.code ?? "", again?.sealed ?? Buffer.alloc(0))).toEqual(opened);
  await otherDatabase.destroy();
});

test("a new payout to an erased account is sent", async () => {
  const [row] = await sealedOf(await paid());
  await propose(row?.code ?? "");
  const { id } = await approvedBatch(ledger, [{ account: ACCOUNT, name: NAME }]);
  const [attempt] = await ledger.payout.openAttempts(claimOf(id));
  expect(attempt?.intact).toBe(true);
  expect(attempt?.order.details.bank_account_number).toBe(ACCOUNT);
});

test("an old copy of the database is unreadable once PAYRUN_KEY was rotated", async () => {
  const batchId = await paid();
  const before = await sealedOf(batchId);
  const [row, other] = before as [(typeof before)[0], (typeof before)[0]];
  const terms = await query(url, "select term from payout_terms");
  await propose(row.code);
  const next = KEY();
  const erasures = await rotateKey(database, {
    from: key,
    to: next,
    actor: "cli:ops",
    at: new Date(),
  });
  expect(erasures).toBe(1);
  const [stored] = await query(url, "select value from settings where name = 'key_ring'");
  const after = createSealer(next, String(stored?.["value"]));
  await readSubjectKeys(database, after);
  expect(openPayout(after, row.code, row.sealed).isErased).toBe(true);
  expect(openPayout(after, other.code, other.sealed).details.account_name).toBe("Other Person");
  // No key of the ring, and no derived key, opens the copy.
  const ring = createSealer(next).open(
    Buffer.from(String(stored?.["value"]), "base64"),
    "settings key_ring",
  );
  for (const secret of ring.match(/[0-9a-f]{64}/g) ?? []) {
    const forged = createSealer(new Secret(secret));
    expect(() => openPayout(forged, row.code, row.sealed)).toThrow("authenticate");
  }
  // The search terms have another key. They are written in blocks, and then find the others.
  expect(await query(url, "select term from payout_terms")).toEqual([]);
  expect(await rewriteNextTerms(database, after, { block: 1 })).toBe(true);
  while (await rewriteNextTerms(database, after, { block: 1 }));
  const renewed = await query(url, "select term from payout_terms");
  const known = new Set(terms.map(({ term }) => term));
  expect(renewed.filter(({ term }) => known.has(term))).toEqual([]);
  expect(await findPayoutIdsByTerm(database, after, { name: "other" })).toContain(String(other.id));
  expect(await findPayoutIdsByTerm(database, after, { name: "zub" })).toBeNull();
  expect(await query(url, "select completed_at is not null as done from erasures")).toEqual([
    { done: true },
  ]);
  const reopened = withAuditSeal(openDatabase(url), after);
  expect(await verifyAudit(reopened)).toMatchObject({ intact: true });
  await reopened.destroy();
});

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test("empties rows that were left out of a batch, which otherwise never change", async () => {
  const batchId = await paid();
  const [row] = await sealedOf(batchId);
  const cells = ["Total", ACCOUNT];
  const at = new Date();
  await insertLeftOutRows(
    database,
    sealer,
    { batchId, actor: "cli:ops", at },
    new Map([[12, { cells, problems: [] }]]),
  );
  await expect(query(url, "update left_out_rows set sealed = '\\x00'")).rejects.toThrow(
    "left_out_rows is append-only",
  );
  expect(await propose(row?.code ?? "")).toMatchObject({ ok: true, value: { fileRows: 1 } });
  expect(await query(url, "select sealed from left_out_rows")).toEqual([{ sealed: Buffer.of(0) }]);
});

test("refuses while details are in an archive file, because they name the key", async () => {
  const batchId = await paid();
  const [row] = await sealedOf(batchId);
  await force(url, `update payout_details set sealed = '' where payout_id = ${row?.id}`);
  expect(await propose(row?.code ?? "")).toMatchObject({
    ok: false,
    error: { code: "wrong_state", detail: expect.stringContaining("payrun archive restore") },
  });
});
