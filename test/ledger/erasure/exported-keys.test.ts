/** Exported keys open a backup from before a rotation, except for erased people. */
import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { Secret } from "#base/secret.ts";
import { proposeErasure } from "#flows/erasure/erase-person.ts";
import { createLedger } from "#ledger/create-ledger.ts";
import { exportKeys, importKeys } from "#ledger/erasure/exported-keys.ts";
import { rewriteNextTerms } from "#ledger/erasure/rewrite-terms.ts";
import { rotateKey } from "#ledger/erasure/rotate-key.ts";
import { verifyAudit } from "#ledger/integrity/audit-hash-chain.ts";
import { withAuditSeal } from "#ledger/integrity/audit-seal.ts";
import { ledgerIdOf } from "#ledger/integrity/freeze.ts";
import { bindKey } from "#ledger/integrity/sealing-keys.ts";
import { readSubjectKeys } from "#ledger/integrity/stored-keys.ts";
import { findPayoutIdsByTerm } from "#ledger/intake/search-terms.ts";
import { openDatabase } from "#ledger/store/database.ts";
import { openPayout } from "#ledger/store/sealed-rows.ts";
import { createSealer } from "#ledger/store/sealing.ts";
import { approvedBatch, declineAll, freshLedger } from "../../support/ledger.ts";
import { query } from "../../support/servers/postgres.ts";

const newKey = () => new Secret(randomBytes(32).toString("hex"));

async function open(url: string, key: Secret) {
  const sealer = createSealer(key);
  const database = withAuditSeal(openDatabase(url), sealer);
  await bindKey(database, sealer.keyCheck);
  await readSubjectKeys(database, sealer);
  return { sealer, database, ledger: createLedger(database, sealer, systemClock) };
}

/** A copy of the database, to which nobody may be connected. */
async function backup(url: string): Promise<string> {
  const name = new URL(url).pathname.slice(1);
  await query(await freshLedger(), `create database ${name}_backup template ${name}`);
  return Object.assign(new URL(url), { pathname: `/${name}_backup` }).href;
}

const codeOf = async (url: string, line: number) => {
  const [row] = await query<{ code: string; sealed: Buffer }>(
    url,
    `select d.transaction_code as code, d.sealed from payout_details d join payouts p on p.id = d.payout_id
     where p.line = ${line}`,
  );
  if (!row) throw new Error(`no payout on line ${line}`);
  return row;
};

test("opens a backup with the new key, without the erased person", async () => {
  const url = await freshLedger();
  const [key, next] = [newKey(), newKey()];
  const first = await open(url, key);
  await ledgerIdOf(first.database);
  const { id } = await approvedBatch(first.ledger, [
    { name: "Zubaidah Quillfeather", account: "50100098765432" },
    { name: "Other Person" },
  ]);
  await declineAll(first.ledger, id);
  expect(await exportKeys(first.database)).toBeNull();
  await first.database.destroy();
  const copy = await backup(url);

  const { database, ledger } = await open(url, key);
  const { code } = await codeOf(url, 2);
  const erasure = { code, reason: "request 12", actor: "cli:ops", keptAfter: null };
  expect(await proposeErasure(erasure, { ledger, clock: systemClock })).toMatchObject({ ok: true });
  const at = new Date();
  await rotateKey(database, { from: key, to: next, actor: "cli:ops", at });
  const keys = await exportKeys(database);
  if (!keys) throw new Error("no keys were exported");
  await database.destroy();

  const restored = openDatabase(copy);
  const order = { key: next, actor: "cli:ops", at };
  await expect(importKeys(restored, keys, { ...order, key })).rejects.toThrow("not the key");
  const other = { ...keys, ledgerId: "another" };
  await expect(importKeys(restored, other, order)).rejects.toThrow("another ledger");
  const otherRing = createSealer(next).seal(JSON.stringify(["0".repeat(64)]), "settings key_ring");
  const wrong = { ...keys, ring: otherRing.toString("base64") };
  await expect(importKeys(restored, wrong, order)).rejects.toThrow("do not match the audit log");

  const sealer = await importKeys(restored, keys, order);
  while (await rewriteNextTerms(restored, sealer));
  const [erased, kept] = [await codeOf(copy, 2), await codeOf(copy, 3)];
  expect(openPayout(sealer, erased.code, erased.sealed).isErased).toBe(true);
  expect(openPayout(sealer, kept.code, kept.sealed).details.account_name).toBe("Other Person");
  expect(await findPayoutIdsByTerm(restored, sealer, { name: "other" })).not.toBeNull();
  expect(await findPayoutIdsByTerm(restored, sealer, { name: "zub" })).toBeNull();
  const sealed = withAuditSeal(restored, sealer);
  expect(await verifyAudit(sealed)).toMatchObject({ intact: true });
  expect(await query(copy, "select action from audit order by seq desc limit 1")).toEqual([
    { action: "import_keys" },
  ]);
  await expect(importKeys(restored, keys, order)).rejects.toThrow("already uses");
  await expect(bindKey(restored, createSealer(key).keyCheck)).rejects.toThrow("not the key");
  await restored.destroy();
});
