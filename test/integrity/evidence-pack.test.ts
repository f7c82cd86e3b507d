import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { verifyPack } from "#integrity/evidence-pack/verify.ts";
import { createSealer, rotatedRing } from "#ledger/store/sealing.ts";
import { Secret } from "#base/secret.ts";
import { verifyAudit } from "#ledger/integrity/audit-hash-chain.ts";
import { permissionsOf } from "#people/roles.ts";
import { buildPack, type PackOrder } from "#views/integrity/evidence-pack/build.ts";
import { originalOf, runCampaign } from "../../proof/evidence-packs/campaign.ts";
import { FORGERIES } from "../../proof/evidence-packs/forge.ts";
import { createSettledBatch, type SettledBatch } from "../../proof/evidence-packs/settled-batch.ts";
import { verifyPack as verifyIndependently } from "../../scripts/verify-pack.mjs";
import { openTestLedger, TEST_KEYRING, type TestLedger } from "../support/ledger.ts";
import { FAST, scratch } from "../support/servers/payrun.ts";
import { force, query } from "../support/servers/postgres.ts";

const folder = scratch();
const PERSON = { id: "US1", permissions: permissionsOf(["auditor"]) };
let open: TestLedger;
let batch: SettledBatch;
let turn = 0;
beforeEach(async () => {
  open = await openTestLedger();
  batch = await createSettledBatch(4, "SUPPLIER", { ledger: open.ledger, keyring: TEST_KEYRING });
});
afterEach(() => open.close());

async function packOf(change: Partial<PackOrder> = {}) {
  const order = { batchId: batch.batchId, code: null, isFull: false, checkpoint: null };
  const { file } = await buildPack(
    { ...order, person: PERSON, ...change },
    { database: open.database, sealer: open.sealer, clock: systemClock },
  );
  const path = join(folder, `${(turn += 1)}.zip`);
  await writeFile(path, file.createReadStream({ start: 0 }));
  return originalOf(path, (manifest) => open.sealer.signPack(manifest)).then((original) => ({
    ...original,
    path,
  }));
}

const keyNow = () => open.sealer.publicKeys().at(-1) ?? "";
const rootNow = async () => {
  const verdict = await verifyAudit(open.database);
  if (!verdict.intact) throw new Error(verdict.why);
  return { line: verdict.lines, root: verdict.root };
};

test("a pack verifies offline, with and without payrun's code", async () => {
  const { path, bytes } = await packOf();
  const { totals, entries } = await verifyPack(path, { key: keyNow() });
  expect(totals).toMatchObject([
    { outcome: "accepted", payouts: 1, amount: "103.50" },
    { outcome: "settled", payouts: 3, amount: "304.50" },
  ]);
  expect(entries).toBeGreaterThan(1);
  expect(verifyIndependently(bytes, keyNow())).toMatchObject({ totals, entries });
});

test("the page needs no scripts and escapes every text", async () => {
  const { files } = await packOf({ code: batch.codes[0] ?? "" });
  const page = files.get("page.html") ?? "";
  expect(page).not.toMatch(/<script|<link|https?:|\son\w+=/i);
  expect(page).toContain("settled, shown by a status answer");
});

test("both verifiers detect every kind of forgery", async () => {
  const originals = [await packOf(), await packOf({ isFull: true })];
  const packs = 2 * Object.keys(FORGERIES).length;
  const { undetected } = await runCampaign(originals, { packs, seed: 7, folder });
  expect(undetected).toEqual([]);
});

test("the independent verifier decompresses only what the key's holder has signed", async () => {
  const { bytes } = await packOf();
  const changed = Buffer.from(bytes);
  // In the compressed data of the first file.
  changed.writeUInt8(changed.readUInt8(60) ^ 0xff, 60);
  expect(() => verifyIndependently(changed, keyNow())).toThrow("the archive was changed");
});

describe("a pack for one payout", () => {
  test("shows no other payout and no totals of the batch", async () => {
    const [code = "", ...others] = batch.codes;
    const { files } = await packOf({ code });
    const all = [...files.values()].join("\n");
    expect(all).toContain(code);
    for (const other of others) expect(all).not.toContain(other);
    // The sum of the batch, in decimals and in minor units.
    for (const total of ["408.00", "40800", "SUPPLIER.csv"]) expect(all).not.toContain(total);
  });

  test("shows the approvals of its batch without their facts", async () => {
    const { files } = await packOf({ code: batch.codes[0] ?? "" });
    const shown = (files.get("audit.jsonl") ?? "")
      .split("\n")
      .filter((line) => line.includes('"action"'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(shown.map(({ action }) => action)).toContain("approve");
    expect(shown.every((entry) => !("facts" in entry))).toBe(true);
  });
});

test("masks accounts unless the order is for full ones", async () => {
  const account = /"bank_account_number":"(\d+)"/;
  const full = (await packOf({ isFull: true })).files.get("payouts.jsonl") ?? "";
  const [, number = "none"] = account.exec(full) ?? [];
  const masked = [...(await packOf()).files.values()].join("\n");
  expect(number).toHaveLength(14);
  expect(masked).not.toContain(number);
  expect(masked).toContain(`••${number.slice(-4)}`);
});

test("hides names, references and free texts in a masked pack", async () => {
  const said = "Asha Rao has closed the account";
  await force(open.url, `update payrun.payouts set reason = 'refused: ${said}'`);
  await force(open.url, `update payrun.transitions set reason = 'refused: ${said}'`);
  await force(open.url, `update payrun.evidence set facts = facts || '{"text": "${said}"}'`);
  const all = async (change: Partial<PackOrder>) =>
    [...(await packOf({ code: batch.codes[0] ?? "", ...change })).files.values()].join("\n");
  const [full, masked] = [await all({ isFull: true }), await all({})];
  for (const text of [said, '"account_name":"Asha Rao"', '"reference":"SUPPLIER-1"']) {
    expect(full).toContain(text);
    expect(masked).not.toContain(text);
  }
  expect(masked).not.toMatch(/Asha|Rao|U-SUPPLIER/);
  expect(masked).toContain('"reason":"refused"');
});

test("claims no settlement without the status answer that shows it", async () => {
  await force(open.url, "delete from payrun.evidence where kind = 'status'");
  const { path } = await packOf();
  const { totals } = await verifyPack(path, { key: keyNow() });
  expect(totals.map(({ outcome, payouts }) => [outcome, payouts])).toEqual([
    ["accepted", 1],
    ["unproven", 3],
  ]);
});

describe("a published root of the audit log", () => {
  test("is reached by the entries of a later pack", async () => {
    const checkpoint = await rootNow();
    await createSettledBatch(1, "LATER", { ledger: open.ledger, keyring: TEST_KEYRING });
    const { path, bytes } = await packOf({ checkpoint });
    const key = keyNow();
    await expect(verifyPack(path, { key, checkpoint })).resolves.toBeDefined();
    const text = `${checkpoint.line}:${checkpoint.root}`;
    expect(() => verifyIndependently(bytes, key, text)).not.toThrow();
    const other = { ...checkpoint, root: "0".repeat(64) };
    await expect(verifyPack(path, { key, checkpoint: other })).rejects.toThrow("checkpoint");
    expect(() => verifyIndependently(bytes, key, `1:${other.root}`)).toThrow("checkpoint");
  });

  test("that the log does not contain is refused", async () => {
    const checkpoint = { ...(await rootNow()), root: "0".repeat(64) };
    await expect(packOf({ checkpoint })).rejects.toMatchObject({ code: "invalid_request" });
    const beyond = { ...checkpoint, line: checkpoint.line + 1 };
    await expect(packOf({ checkpoint: beyond })).rejects.toMatchObject({ code: "invalid_request" });
  });
});

test("signs no evidence from an audit log that was changed", async () => {
  await query(open.url, "alter table audit disable trigger append_only");
  await query(open.url, "update audit set actor = 'other' where seq = 1");
  await expect(packOf()).rejects.toMatchObject({ code: "wrong_state" });
});

test("a pack stays valid under the public key from before a rotation", async () => {
  const { path } = await packOf();
  const [from, to] = [new Secret(FAST["PAYRUN_KEY"] ?? ""), new Secret("4b".repeat(32))];
  const [before = "", after = ""] = createSealer(to, rotatedRing(from, null, to)).publicKeys();
  expect(before).toBe(keyNow());
  await expect(verifyPack(path, { key: before })).resolves.toBeDefined();
  await expect(verifyPack(path, { key: after })).rejects.toThrow("signed with another key");
});
